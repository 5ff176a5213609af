"""Staged rows, between a file and the tables, and their checks."""

import string
from itertools import groupby

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import is_disk_full
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError
from ndcg_sql.reading import checks
from ndcg_sql.reading.advice import (
    OF_ASSESSORS,
    TWICE,
    Looks,
    advice_of,
    guessed,
    keeping,
    looks_like,
    offer,
)
from ndcg_sql.reading.checks import RowsOf
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import (
    Source,
    damaged_parquet,
    no_rows,
)
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, joined

# The steps that read the times of the rows that may have one.
_TIMES = {
    "judgments": ("store/staged_times",),
    "known": ("store/staged_epochs", "store/staged_times"),
    "clicks": ("store/staged_epochs", "store/staged_times"),
}
_SHOWN_FAULTS = 10
# Values in the message of a check that are its own words, not text from a file.
_PLAIN = ("expected", "noun", "unit")
# The parameters of store/staged_*.sql, and the columns whose fields they give.
_FIELDS = {
    "query_field": "query_id",
    "doc_field": "doc_id",
    "score_field": "score",
    "rank_field": "rank",
    "run_field": "run",
    "grade_field": "grade",
    "label_field": "label",
    "subtopic_field": "subtopic",
    "text_field": "text",
    "title_field": "title",
    "url_field": "url",
    "assessor_field": "assessor",
    "time_field": "assessed_at",
    "known_time_field": "time",
    "count_field": "count",
    "action_field": "action",
    "position_field": "position",
    "search_id_field": "search_id",
    "weight_field": "weight",
}


def stage(
    database: Database,
    kind: Kind,
    source: Source,
    how: Layout,
    labels: dict[str, float] | None = None,
    assessor: str | None = None,
    table: str = "staged",
    select: str = "from source_rows",
) -> None:
    """Read the rows of a file into the temporary table staged.

    assessor, if given, made all of its judgments. Another table has what another select
    makes of the rows.
    """
    sql = "create or replace temp table staged_labels (label varchar, grade double)"
    database.execute(sql)
    for label, grade in (labels or {}).items():
        database.execute(
            "insert into staged_labels values ($label, $grade)",
            {"label": label, "grade": grade},
        )
    fewest, most = how.field_range
    parameters: Parameters = {
        "added_fields": how.added,
        "assessor": assessor,
        "fewest_fields": fewest,
        "most_fields": most,
    }
    rows = "judgments" if kind == "assessments" else kind
    places = {name: how.fields.get(column) for name, column in _FIELDS.items()}
    steps = (*how.steps, f"store/staged_{rows}", *_TIMES.get(rows, ()))
    staged = f"with source_rows as ({sql_files.composed(steps)}) from ({select})"
    try:
        database.execute(
            f"create or replace temp table {table} as {staged}",
            {**how.parameters, **places, **parameters},
        )
    except duckdb.Error as error:
        if is_damage(error, source):
            raise damaged_parquet(source) from error
        raise


def is_damage(error: duckdb.Error, source: Source) -> bool:
    """Return whether an error shows that a source is a damaged Parquet file."""
    return source.binary == "parquet" and is_of_content(error)


def is_of_content(error: duckdb.Error) -> bool:
    """Return whether an error while reading comes from what is read.

    DuckDB has no class for damage; a lack of memory or disk is not damage.
    """
    lacks = (duckdb.OutOfMemoryException, duckdb.InterruptException)
    return not isinstance(error, lacks) and not is_disk_full(error)


def check_staged(
    database: Database,
    rows_of: RowsOf,
    source: Source,
    how: Layout,
    position_rule: str = "score",
    advise: bool = True,
    compared: bool = True,
) -> None:
    """Raise BadRowsError if rows break a check: all counted, the first ten shown.

    Successive lines whose fault is the same are told once, with their number.
    With compared, rows are compared with each other, too.
    """
    fewest, most = how.field_range
    by_row = how.by_row or source.by_row or bool(source.noted)
    unit = "row" if by_row else "line"
    parameters: Parameters = {
        "fewest_fields": fewest,
        "most_fields": most,
        "expected": how.expected,
        "position_rule": position_rule,
        "unit": unit,
    }
    database.execute(
        "create or replace temp table bad_lines"
        " (line_number bigint, check_name varchar, place bigint, fault ubigint)"
    )
    checked = checks.of(rows_of)
    for place, (name, check) in enumerate(checked.items()):
        if check.compares and not compared:
            continue
        database.execute(
            "insert into bad_lines select line_number, $check, $place,"
            " hash($check, *columns(* exclude (line_number)))"
            f" from ({check.select})",
            {**parameters, "check": name, "place": place},
        )
    rows: int = database.execute("select count(*) from staged")[0][0]
    bad_lines = database.run("lookups/bad_lines", {"shown": _SHOWN_FAULTS})
    bad = _unreadable(source, unit)
    total = len(source.faults) + (bad_lines[0][3] if bad_lines else 0)
    if total == 0 and rows == 0:
        raise no_rows(source)
    if total == 0:
        return
    for line, check, more, _ in bad_lines:
        reason = _reason(database, check, {**parameters, "line": line})
        bad[line] = reason + _alike(more, unit)
    at = f"{source.shown}: row " if by_row else f"{source.shown}:"
    shown = [f"{at}{line}: {bad[line]}" for line in sorted(bad)]
    names = database.execute("select distinct check_name from bad_lines")
    broken = frozenset(name for (name,) in names)
    # A line of a list has several rows.
    lines: int = database.execute("select count(distinct line_number) from staged")[0][
        0
    ]
    remedy = Text(f"{counted(total, f'bad {unit}')} of {lines + len(source.faults)}")
    looks: Looks | None = None
    if advise:
        looks = looks_like(database, rows_of, source, how)
        if looks:
            advice: Wording = looks.advice
        else:
            advice = advice_of(database, rows_of, broken, source)
        is_twice = bool(broken) and broken <= TWICE and not source.faults
        if not looks and is_twice and not database.is_scratch:
            advice = Text(advice, " ", keeping(how))
        if rows_of == "judgments" and broken == frozenset(("document_twice",)):
            advice = Text(advice, " ", OF_ASSESSORS)
        remedy += "; nothing was loaded. " + Text(advice)
        remedy += "" if looks else guessed(database, source, how, lines)
    comparing = {name for name, check in checked.items() if check.compares}
    raise BadRowsError(
        joined([*shown[:_SHOWN_FAULTS], remedy], "\n"),
        broken,
        compared=not source.faults and broken <= comparing,
        share=total / (lines + len(source.faults)),
        scored="score" in how.fields,
        # What explains repeated rows is sought when nothing else is wrong.
        offer=None
        if source.faults
        else (looks and looks.offer) or offer(database, rows_of, broken - comparing),
    )


def _unreadable(source: Source, unit: str) -> dict[int, str]:
    """Return the reasons by line why lines were not read; many alike are told once."""
    reasons: dict[int, str] = {}
    for reason, group in groupby(source.faults, key=lambda fault: fault.reason):
        first, *others = group
        if len(others) > 1:
            reasons[first.line] = reason + _alike(len(others), unit)
        else:
            reasons |= {fault.line: reason for fault in (first, *others)}
    return reasons


def _alike(more: int, unit: str) -> str:
    return f" (and {counted(more, f'more {unit}')} alike)" if more else ""


def _reason(database: Database, check: str, parameters: Parameters) -> str:
    """Return the message of a check about a bad line, with harmless values."""
    one = checks.every()[check]
    where = f"select * from ({one.select}) where line_number = $line"
    values = {**parameters, **database.records(where, parameters)[0]}
    shown = {
        name: value if name in _PLAIN else quoted(value)
        for name, value in values.items()
    }
    return string.Formatter().vformat(one.message, (), shown)
