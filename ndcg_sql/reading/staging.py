"""Staged rows, between a file and the tables, and their checks."""

import string
from collections.abc import Collection
from itertools import groupby

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import is_disk_full
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError
from ndcg_sql.reading import checks
from ndcg_sql.reading.checks import TWICE, RowsOf
from ndcg_sql.reading.columns import COLUMNS, Kind
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, damaged_parquet, no_rows
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Blank, Text, Wording, call, joined, named, use

# The steps that read the times of the rows that may have one.
_TIMES = {
    "judgments": ("store/staged_times",),
    "known": ("store/staged_epochs", "store/staged_times"),
    "clicks": ("store/staged_epochs", "store/staged_times"),
}
_SHOWN_FAULTS = 10
# The fields of a request that may get past the checks.
_OF_RUNS = ("run_column", "name", "columns", "kind")
_NEEDS = {
    "fields": ("kind", "query", "format_in", "columns"),
    "form": ("kind", "format_in"),
    "score": ("decimal", "format_in"),
    "rank": ("decimal",),
    "weight": ("decimal",),
    "grade": ("labels", "decimal"),
    "empty_grade": ("labels",),
    "query_twice": ("kind",),
    **dict.fromkeys((*TWICE, "rank_twice", "rank_twice_in_run"), _OF_RUNS),
}
# Values in the message of a check that are its own words, not text from a file.
_PLAIN = ("expected", "noun", "unit")
# The parameters of store/staged_*.sql that give the fields of columns; those of the
# other columns are called after them. Counts are in the rows before they become events.
_COUNTS = {"impressions", "clicks"}
_FIELDS = {
    **{
        f"{column}_field": column
        for every in COLUMNS.values()
        for column in {*every} - _COUNTS
    },
    "query_field": "query_id",
    "doc_field": "doc_id",
    "time_field": "assessed_at",
    "known_time_field": "time",
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
    # DuckDB has no class for damage; a lack of memory or disk is not damage.
    lacks = (duckdb.OutOfMemoryException, duckdb.InterruptException)
    is_lack = isinstance(error, lacks) or is_disk_full(error)
    return source.binary == "parquet" and not is_lack


def check_staged(
    database: Database,
    rows_of: RowsOf,
    source: Source,
    how: Layout,
    position_rule: str = "score",
    advise: bool = True,
    but: Collection[str] = (),
) -> None:
    """Raise BadRowsError if rows break a check: all counted, the first ten shown.

    Successive lines whose fault is the same are told once, with their number.
    but are checks that rows may break.
    """
    fewest, most = how.field_range
    unit = source.unit
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
        if name in but:
            continue
        database.execute(
            "insert into bad_lines select line_number, $check, $place,"
            " hash($check, *columns(* exclude (line_number)))"
            f" from ({check.select})",
            {**parameters, "check": name, "place": place},
        )
    [(rows,)] = database.execute("select count(*) from staged")
    bad_lines = database.run("lookups/bad_lines", {"shown": _SHOWN_FAULTS})
    bad = _unreadable(source, unit)
    total = len(source.faults) + (bad_lines[0][3] if bad_lines else 0)
    if total == 0 and rows == 0:
        raise no_rows(source)
    if total == 0:
        return
    for line, name, more, _ in bad_lines:
        values = {**parameters, "line": line}
        where = f"select * from ({checked[name].select}) where line_number = $line"
        values |= database.records(where, values)[0]
        shown = {k: v if k in _PLAIN else quoted(v) for k, v in values.items()}
        reason = string.Formatter().vformat(checked[name].message, (), shown)
        bad[line] = reason + _alike(more, unit)
    reasons = [f"{source.at(line)}: {bad[line]}" for line in sorted(bad)]
    names = database.execute("select distinct check_name from bad_lines")
    broken = frozenset(name for (name,) in names)
    broken |= {fault.check for fault in source.faults if fault.check}
    is_readable = all(fault.check for fault in source.faults)
    # A line of a list has several rows.
    [(lines,)] = database.execute("select count(distinct line_number) from staged")
    remedy = Text(f"{counted(total, f'bad {unit}')} of {lines + len(source.faults)}")
    needs: set[str] = set()
    if advise:
        hint = _hint(rows_of, source, broken, is_readable)
        remedy += "; nothing was loaded. " + hint
        if how.guess and not broken <= TWICE:
            remedy += f"\nguessed format: {how.guess}; if it is another, name it with "
            remedy += named("format_in")
        # What is wrong with bytes comes first.
        needs.update(*(_NEEDS.get(check, ()) for check in broken if is_readable))
    raise BadRowsError(
        joined([*reasons[:_SHOWN_FAULTS], remedy], "\n"),
        broken,
        compared=is_readable and broken <= checks.comparing(),
        needs=needs,
        scored="score" in how.fields,
    )


def _hint(
    rows_of: RowsOf, source: Source, broken: frozenset[str], is_readable: bool
) -> Wording:
    """Return what to do about bad lines; what can be corrected, such as a file.

    is_readable is whether each of them is valid but for the checks that are broken.
    """
    what, it = ("rows", "them") if source.noted else ("file", "it")
    correct = f"Correct the {what} and load {it} again"
    if broken == frozenset(("assessment_twice",)):
        return Text(
            "If one grade is later than the other, name the column of their times: ",
            use(columns={"assessed_at": "NAME"}),
            f". If not: {correct}, such as with another name of the assessor.",
        )
    if broken == frozenset(("time",)):
        return (
            f"Write times like that in the {what}, or rename their column, to load {it}"
            " without them."
        )
    if broken == frozenset(("subtopic",)):
        return f"Name the subtopic of each row of the {what}, or of none."
    if "position" in broken:
        return f"Positions count from 1: correct the {what} and load {it} again."
    hint = Text(f"{correct}.")
    if "grade" in broken:
        labels = use(labels={"LABEL": Blank("GRADE")})
        hint += Text(" If words are labels, give each its grade: ", labels, ".")
    if broken and broken <= TWICE and is_readable:
        rules = joined((use(duplicates=rule) for rule in ("first", "last")), ", ")
        hint += Text(" To keep one row of each document: ", rules, " or ")
        hint += Text(use(duplicates="max"), ".")
        if rows_of == "judgments":
            grades = call("load_assessments", FILE)
            hint += Text(" To load the grades of several assessors: ", grades)
    return hint


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
