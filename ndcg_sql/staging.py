"""Between a file and the tables: staged rows, and the checks that they pass."""

import string
from typing import Literal

import duckdb

from ndcg_sql import files, sqlfiles
from ndcg_sql.columns import Kind
from ndcg_sql.connections import is_disk_full
from ndcg_sql.errors import ContradictionError, NdcgSqlError
from ndcg_sql.layouts import Layout, damaged_parquet
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.warehouse import Parameters, Warehouse

_SHOWN_FAULTS = 10
_CHECKS = {
    "list": ("any", "documents", "once"),
    "run": ("any", "documents", "once", "run", "one_run"),
    "judgments": ("any", "documents", "once", "judgments"),
    "assessments": ("any", "documents", "judgments", "assessments"),
    "queries": ("any", "queries"),
}
# What the checks name that is a part of a sentence, not of a file.
_PLAIN = ("expected", "noun", "unit")
# What a file with so many fields on every line is more likely to be.
_LOOKS_LIKE = {
    ("run", 1): (
        "documents of one query (say --query ID) or scores of a list's rows (say"
        " --rows-of LIST)"
    ),
    ("run", 4): "judgments: ndcg-sql load judgments FILE",
    ("judgments", 2): "documents and labels of one query: say --query ID",
    ("judgments", 6): "a run: ndcg-sql load run FILE (eval takes the judgments first)",
}
# The parameters of store/staged_*.sql, and the columns whose fields they name.
_FIELDS = {
    "query_field": "query_id",
    "group_field": "group_id",
    "subgroup_field": "subgroup_id",
    "doc_field": "doc_id",
    "score_field": "score",
    "rank_field": "rank",
    "tag_field": "tag",
    "grade_field": "grade",
    "label_field": "label",
    "text_field": "text",
    "assessor_field": "assessor",
    "time_field": "assessed_at",
    "weight_field": "weight",
}


def stage(
    warehouse: Warehouse,
    kind: Kind | Literal["preferences"],
    source: files.Source,
    how: Layout,
    labels: dict[str, float] | None = None,
    assessor: str | None = None,
) -> None:
    """Read the rows of a file into the temporary table staged.

    assessor is who made all of its judgments.
    """
    sql = "create or replace temp table staged_labels (label varchar, grade double)"
    warehouse.execute(sql)
    for label, grade in (labels or {}).items():
        warehouse.execute(
            "insert into staged_labels values ($label, $grade)",
            {"label": label, "grade": grade},
        )
    given: Parameters = {"added_fields": how.added, "assessor": assessor}
    rows = "judgments" if kind == "assessments" else kind
    places = {name: how.fields.get(column) for name, column in _FIELDS.items()}
    try:
        warehouse.execute(
            "create or replace temp table staged as"
            f" {composed((*how.steps, f'store/staged_{rows}'))}",
            {**how.parameters, **places, **given},
        )
    except duckdb.Error as error:
        # DuckDB has no one class for damage; what it lacks is not the file's fault.
        lacks = (duckdb.OutOfMemoryException, duckdb.InterruptException)
        ours = isinstance(error, lacks) or is_disk_full(error)
        if source.is_parquet and not ours:
            raise damaged_parquet(source) from error
        raise


def composed(steps: tuple[str, ...]) -> str:
    """Return one select of SQL files, each of which reads the rows of the last."""
    first, *others = (sqlfiles.read(step) for step in steps)
    for step in others:
        first = f"with source_rows as ({first}) from ({step})"
    return first


def check_staged(
    warehouse: Warehouse,
    kind: Kind | Literal["list", "preferences"],
    source: files.Source,
    how: Layout,
    position_rule: str = "score",
    folders: tuple[str, ...] = (),
    advise: bool = True,
) -> None:
    """Raise NdcgSqlError if rows break a check: all counted, the first ten shown.

    It is a ContradictionError if each row is right by itself. The checks are
    those of the kind, or of these folders.
    """
    fewest, most = how.field_range
    unit = "row" if how.by_row else "line"
    parameters: Parameters = {
        "fewest_fields": fewest,
        "most_fields": most,
        "expected": how.expected,
        "position_rule": position_rule,
        "unit": unit,
    }
    sql = "create or replace temp table bad_lines (line_number bigint, check_file text)"
    warehouse.execute(sql)
    for folder in folders or _CHECKS[kind]:
        for check in sqlfiles.names(f"checks/{folder}"):
            warehouse.execute(
                "insert into bad_lines"
                f" select line_number, $check from ({sqlfiles.read(check)})",
                {**parameters, "check": check},
            )
    rows: int = warehouse.execute("select count(*) from staged")[0][0]
    found = warehouse.run("reports/bad_lines", {"shown": _SHOWN_FAULTS})
    bad = {fault.line: fault.reason for fault in source.faults}
    total = len(bad) + (found[0][2] if found else 0)
    if total == 0 and rows == 0:
        raise NdcgSqlError(f"{source.shown}: no rows; is it the right file?")
    if total == 0:
        return
    for line, check, _ in found:
        bad[line] = _reason(warehouse, check, {**parameters, "line": line})
    at = f"{source.shown}: row " if how.by_row else f"{source.shown}:"
    shown = [f"{at}{line}: {bad[line]}" for line in sorted(bad)]
    remedy = f"{counted(total, f'bad {unit}')} of {rows + len(source.faults)}"
    if advise:
        remedy += f"; nothing was loaded. {_advice(warehouse, kind, how)}"
    # From 7 on, checks compare rows with each other.
    first = "select min(split_part(check_file, '/', 3)) >= '7' from bad_lines"
    compared = not source.faults and warehouse.execute(first) == [(True,)]
    error = ContradictionError if compared else NdcgSqlError
    raise error("\n".join([*shown[:_SHOWN_FAULTS], remedy]))


def _reason(warehouse: Warehouse, check: str, parameters: Parameters) -> str:
    """Return the sentence of a check about a bad line, its values made harmless."""
    sql = sqlfiles.read(check)
    where = f"select * from ({sql}) where line_number = $line"
    shown = {
        name: value if name in _PLAIN else quoted(value)
        for name, value in warehouse.records(where, parameters)[0].items()
    }
    return string.Formatter().vformat(sqlfiles.opening_comment(sql), (), shown)


def _advice(warehouse: Warehouse, kind: str, how: Layout) -> str:
    """Return what to do about the bad lines."""
    widths = warehouse.execute("select distinct field_count from staged limit 2")
    looks = (kind, *(width for (width,) in widths))
    if looks in _LOOKS_LIKE and how.steps[-1] == "load/blank_separated":
        return f"It looks like {_LOOKS_LIKE[looks]}."
    once = "select bool_and(check_file like 'checks/once/%') from bad_lines"
    if kind == "judgments" and warehouse.execute(once) == [(True,)]:
        return (
            "Correct the file and run the same command again; what several people"
            " said is loaded by ndcg-sql load assessments FILE."
        )
    if kind in ("judgments", "assessments"):
        words = [word for (word,) in warehouse.run("reports/unmapped_labels")]
        labels = [word for word in words if word]
        if labels:
            return (
                f"Not numbers: {listed(labels, 100)}; if these are labels, give each"
                f" its grade: --label {quoted(labels[0])}=1."
            )
        if words:
            return "If an empty grade means that nobody judged it, say --label =-1."
    return "Correct the file and run the same command again."
