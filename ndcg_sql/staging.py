"""Between a file and the tables: staged rows, and the checks that they pass."""

import string
from pathlib import Path

import duckdb

from ndcg_sql import files, sqlfiles
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.formats import Kind, Layout, damaged_parquet
from ndcg_sql.text import quoted
from ndcg_sql.warehouse import Parameters, Warehouse

_SHOWN_FAULTS = 10
_CHECKS = {
    "run": ("any", "documents", "run"),
    "judgments": ("any", "documents", "judgments"),
    "queries": ("any", "queries"),
}
# What a file with so many fields on every line is more likely to be.
_LOOKS_LIKE = {
    ("run", 4): "judgments: ndcg-sql load judgments FILE",
    ("judgments", 6): "a run: ndcg-sql load run FILE",
}
# The parameters of store/staged_*.sql, and the columns whose fields they name.
_FIELDS = {
    "query_field": "query_id",
    "doc_field": "doc_id",
    "score_field": "score",
    "rank_field": "rank",
    "tag_field": "tag",
    "grade_field": "grade",
    "label_field": "label",
    "text_field": "text",
    "weight_field": "weight",
}


def scratch_folder(warehouse: Warehouse) -> Path | None:
    """Return where temporary files go: beside the warehouse, as the disk has room."""
    in_memory = warehouse.path == ":memory:"
    return None if in_memory else Path(warehouse.path).absolute().parent


def stage(
    warehouse: Warehouse,
    kind: Kind,
    source: files.Source,
    how: Layout,
    labels: dict[str, float] | None = None,
) -> None:
    """Read the rows of a file into the temporary table staged."""
    sql = "create or replace temp table staged_labels (label varchar, grade double)"
    warehouse.execute(sql)
    for label, grade in (labels or {}).items():
        warehouse.execute(
            "insert into staged_labels values ($label, $grade)",
            {"label": label, "grade": grade},
        )
    places = {name: how.fields.get(column) for name, column in _FIELDS.items()}
    staged = sqlfiles.read(f"store/staged_{kind}")
    staged = staged.replace("with fields as", ", fields as", 1)
    try:
        warehouse.execute(
            "create or replace temp table staged as"
            f" with source_rows as ({sqlfiles.read(how.sql)}) {staged}",
            {**how.parameters, **places},
        )
    except duckdb.Error as error:
        # DuckDB has no one class for damage; what it lacks is not the file's fault.
        ours = isinstance(
            error, (duckdb.OutOfMemoryException, duckdb.InterruptException)
        )
        if source.is_parquet and not ours and "No space left" not in str(error):
            raise damaged_parquet(source) from error
        raise


def check_staged(
    warehouse: Warehouse,
    kind: Kind,
    source: files.Source,
    how: Layout,
    position_rule: str = "score",
) -> None:
    """Raise NdcgSqlError if rows break a check: all counted, the first ten shown."""
    parameters: Parameters = {
        "expected_fields": how.expected_fields,
        "expected": how.expected,
        "position_rule": position_rule,
    }
    sql = "create or replace temp table bad_lines (line_number bigint, check_file text)"
    warehouse.execute(sql)
    for folder in _CHECKS[kind]:
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
    shown = [f"{source.shown}:{line}: {bad[line]}" for line in sorted(bad)]
    noun = "line" if total == 1 else "lines"
    widths = warehouse.execute("select distinct field_count from staged limit 2")
    looks = (kind, *(width for (width,) in widths))
    other = _LOOKS_LIKE.get(looks) if how.sql == "load/blank_separated" else None
    advice = (
        f"It looks like {other}."
        if other
        else "Correct the file and run the same command again."
    )
    remedy = (
        f"{total} bad {noun} of {rows + len(source.faults)};"
        f" nothing was loaded. {advice}"
    )
    raise NdcgSqlError("\n".join([*shown[:_SHOWN_FAULTS], remedy]))


def _reason(warehouse: Warehouse, check: str, parameters: Parameters) -> str:
    """Return the sentence of a check about a bad line, its values made harmless."""
    sql = sqlfiles.read(check)
    where = f"select * from ({sql}) where line_number = $line"
    shown = {
        name: value if name == "expected" else quoted(value)
        for name, value in warehouse.records(where, parameters)[0].items()
    }
    return string.Formatter().vformat(sqlfiles.opening_comment(sql), (), shown)
