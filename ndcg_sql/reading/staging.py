"""Staged rows, between a file and the tables, and their checks: sql/checks.csv."""

from collections.abc import Collection
from functools import cache
from itertools import groupby
from string import Formatter
from typing import Literal, NamedTuple

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import is_disk_full
from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError
from ndcg_sql.reading.columns import COLUMNS, Kind
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source, damaged_parquet, no_rows
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, joined, named, use

# What rows can be checked as; sql/checks.csv lists the checks of each.
RowsOf = (
    Kind
    | Literal["runs", "subtopics", "list", "base", "attributes", "measured", "searches"]
    | Literal["trec_eval_run", "trec_eval_judgments"]
)
# The checks that one of the rows passes, if it alone is kept.
TWICE = frozenset(
    ("document_twice", "document_twice_in_run", "document_twice_in_subtopic")
)
# What a message says that no column of staged rows has.
_OTHERS = {"unit", "expected", "noun", "first_line"}
# The steps that read the times of the rows that may have one.
_TIMES = {
    "judgments": ("store/staged_times",),
    "known": ("store/staged_epochs", "store/staged_times"),
    "clicks": ("store/staged_epochs", "store/staged_times"),
}
_SHOWN_FAULTS = 10
# Values in the message of a check that are its own words, not text from a file.
_PLAIN = ("expected", "noun", "unit")
# What may be done about rows that break a check, beside correcting them.
_REMEDIES = {
    "position": Text(" Positions count from 1."),
    "subtopic": Text(" Name the subtopic of each row, or of none."),
    "time": Text(" To load it without times, rename their column."),
    "grade": Text(
        " If words are labels, give each its grade: ",
        use(labels={"LABEL": Blank("GRADE")}),
        ".",
    ),
    "assessment_twice": Text(
        " If one grade is later than the other, name the column of their times: ",
        use(columns={"assessed_at": "NAME"}),
        ". If another assessor gave it, correct the name.",
    ),
}


class Check(NamedTuple):
    """A check: its message, and the select of the staged rows that break it.

    condition is what it asks of single rows; compares is whether it compares rows with
    others, is_clean whether a well-formed row can break it. needs may get past it.
    """

    message: str
    select: str
    condition: str
    compares: bool
    is_clean: bool
    needs: list[str]


@cache
def checks_of(rows_of: RowsOf) -> dict[str, Check]:
    """Return the checks of some rows by name, in the order of their messages."""
    rows = sql_files.rows("checks")
    return {
        row["check"]: _check(row) for row in rows if rows_of in row["rows_of"].split()
    }


@cache
def comparing() -> frozenset[str]:
    """Return the names of the checks that compare rows with each other."""
    rows = sql_files.rows("checks")
    return frozenset(row["check"] for row in rows if row["compares"] == "rows")


def _check(row: dict[str, str]) -> Check:
    """Return a check; one without a message of its own is a file that opens with it.

    The select is that of the rows that a condition holds for; with a key, that of the
    rows that have the same as an earlier one.
    """
    about = row["compares"] == "rows", row["clean"] == "yes", row["needs"].split()
    message, condition = row["message"], sql_files.filled(row["condition"])
    if not message:
        select = sql_files.read(f"checks/{row['check']}")
        message = sql_files.opening_comment(select)
        return Check(message, select, condition, *about)
    named = [name for _, name, _, _ in Formatter().parse(message) if name]
    columns = ["line_number", *(name for name in named if name not in _OTHERS)]
    columns += [f"{row['noun']} as noun"] if row["noun"] else []
    select = f"select {', '.join(columns)} from staged where {condition or 'true'}"
    if key := row["key"]:
        # The rows of a list may share a line.
        select = (
            f"select {', '.join(columns)}, first_line from staged inner join ("
            f"select {key}, min(line_number) as first_line,"
            " max(line_number) as last_line from staged"
            f" where {condition or 'true'} group by {key} having count(*) > 1"
            f") using ({key}) where line_number > first_line or last_line = first_line"
        )
    return Check(message, select, condition, *about)


def stage(
    database: Database,
    kind: Kind,
    how: Layout,
    labels: dict[str, float] | None = None,
    assessor: str | None = None,
    table: str = "staged",
    select: str = "from source_rows",
) -> None:
    """Read the rows of a file, or a select of them, into a temporary table."""
    database.execute(
        "create or replace temp table staged_labels as"
        " select unnest(cast($words as varchar[])) as label,"
        " unnest(cast($grades as double[])) as grade",
        {"words": [*(labels or {})], "grades": [*(labels or {}).values()]},
    )
    rows = "judgments" if kind == "assessments" else kind
    # The numbers of fields, which steps may have changed.
    columns = (column for every in COLUMNS.values() for column in every)
    fields = {f"{column}_field": how.fields.get(column) for column in columns}
    steps = (*how.steps, f"store/staged_{rows}", *_TIMES.get(rows, ()))
    staged = f"with source_rows as ({sql_files.composed(steps)}) from ({select})"
    try:
        database.execute(
            f"create or replace temp table {table} as {staged}",
            {**fields, **how.widths, **how.parameters, "assessor": assessor},
        )
    except duckdb.Error as error:
        if is_damage(error, how.source):
            raise damaged_parquet(how.source.shown) from error
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
    how: Layout,
    position_rule: str = "score",
    advise: bool = True,
    but: Collection[str] = (),
) -> None:
    """Raise BadRowsError if rows break a check: all counted, the first ten shown.

    Successive lines whose fault is the same are told once, with their number.
    but are checks that rows may break.
    """
    source = how.source
    unit, faults = source.unit, source.faults
    parameters = {**how.widths, "position_rule": position_rule, "unit": unit}
    database.execute(
        "create or replace temp table bad_lines"
        " (line_number bigint, check_name varchar, place bigint, fault ubigint)"
    )
    checked = checks_of(rows_of)
    for place, (name, check) in enumerate(checked.items()):
        if name not in but:
            database.execute(
                "insert into bad_lines select line_number, $check, $place,"
                " hash($check, *columns(* exclude (line_number)))"
                f" from ({check.select})",
                {**parameters, "check": name, "place": place},
            )
    bad_lines = database.run("lookups/bad_lines", {"shown": _SHOWN_FAULTS})
    total = len(faults) + (bad_lines[0][3] if bad_lines else 0)
    if total == 0:
        if not database.execute("from staged limit 1"):
            raise no_rows(source)
        return
    # Lines that could not be read; many alike are told once.
    reasons: dict[int, str] = {}
    for reason, group in groupby(faults, key=lambda fault: fault.reason):
        first, *others = group
        alike = others if len(others) < 2 else []
        reasons |= {fault.line: reason for fault in alike}
        reasons[first.line] = reason + _alike(len(others) - len(alike), unit)
    for line, name, more, _ in bad_lines:
        values = {**parameters, "line": line}
        where = f"select * from ({checked[name].select}) where line_number = $line"
        values |= database.records(where, values)[0]
        shown = {k: v if k in _PLAIN else quoted(v) for k, v in values.items()}
        message = Formatter().vformat(checked[name].message, (), shown)
        reasons[line] = message + _alike(more, unit)
    lines = [f"{source.at(line)}: {reasons[line]}" for line in sorted(reasons)]
    names = database.execute("select distinct check_name from bad_lines")
    broken = frozenset(name for (name,) in names)
    broken |= {fault.check for fault in faults if fault.check}
    is_readable = all(fault.check for fault in faults)
    # A line of a list has several rows.
    [(count,)] = database.execute("select count(distinct line_number) from staged")
    remedy = Text(f"{counted(total, f'bad {unit}')} of {count + len(faults)}")
    if advise:
        remedy += "; nothing was loaded. " + _hint(rows_of, source, broken, is_readable)
        if how.guess and not broken <= TWICE:
            remedy += f"\nguessed format: {how.guess}; if it is another, name it with "
            remedy += named("format_in")
    # What is wrong with bytes comes first.
    needs = [need for name in broken & checked.keys() for need in checked[name].needs]
    raise BadRowsError(
        joined([*lines[:_SHOWN_FAULTS], remedy], "\n"),
        broken,
        compared=is_readable and broken <= comparing(),
        needs=needs if advise and is_readable else (),
        scored="score" in how.fields,
    )


def _alike(more: int, unit: str) -> str:
    return f" (and {counted(more, f'similar {unit}')})" if more else ""


def _hint(
    rows_of: RowsOf, source: Source, broken: frozenset[str], is_readable: bool
) -> Text:
    """Return what to do about bad lines; what can be corrected, such as a file."""
    are_rows = source.noted or source.unit == "row"
    what, it = ("rows", "them") if are_rows else ("file", "it")
    remedies = (_REMEDIES[check] for check in sorted(broken & _REMEDIES.keys()))
    hint = Text(f"Correct the {what} and load {it} again.", *remedies)
    if broken and broken <= TWICE and is_readable:
        rules = joined((use(duplicates=rule) for rule in ("first", "last")), ", ")
        hint += Text(" To keep one row of each document: ", rules, " or ")
        hint += Text(use(duplicates="max"), ".")
        if rows_of == "judgments":
            grades = call("load_assessments", FILE)
            hint += Text(" To load the grades of several assessors: ", grades)
    return hint
