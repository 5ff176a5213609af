"""The checks of staged rows: rows of sql/checks.csv."""

import string
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ndcg_sql.database import sql_files
from ndcg_sql.reading.columns import Kind

# What rows can be checked as; sql/checks.csv lists the checks of each.
RowsOf = (
    Kind
    | Literal["runs", "subtopics", "list", "base", "attributes", "measured"]
    | Literal["trec_eval_run", "trec_eval_judgments"]
)
# The checks that one of the rows passes, if it alone is kept.
TWICE = frozenset(
    ("document_twice", "document_twice_in_run", "document_twice_in_subtopic")
)
# What a message says that no column of staged rows has.
_OTHERS = {"unit", "expected", "noun", "first_line"}


@dataclass(frozen=True)
class Check:
    """A check: its message, and the select of the staged rows that break it.

    The select has the columns that the message names; condition is what it asks of
    single rows. compares says whether rows are
    compared with others, is_clean whether a row can break it although it is well
    formed.
    """

    name: str
    rows_of: frozenset[str]
    message: str
    select: str
    condition: str
    compares: bool
    is_clean: bool


@cache
def every() -> dict[str, Check]:
    """Return all checks by name, in the order in which they are reported."""
    return {row["check"]: _check(row) for row in sql_files.rows("checks")}


@cache
def of(rows_of: RowsOf) -> dict[str, Check]:
    """Return the checks of some rows by name."""
    return {name: one for name, one in every().items() if rows_of in one.rows_of}


@cache
def comparing() -> frozenset[str]:
    """Return the names of the checks that compare rows with each other."""
    return frozenset(name for name, check in every().items() if check.compares)


def _check(row: dict[str, str]) -> Check:
    """Return a check; one without a message of its own is a file that opens with it."""
    file = f"checks/{row['check']}"
    select = _select(row) if row["message"] else sql_files.read(file)
    return Check(
        row["check"],
        frozenset(row["rows_of"].split()),
        row["message"] or sql_files.opening_comment(select),
        select,
        sql_files.filled(row["condition"]),
        row["compares"] == "rows",
        row["clean"] == "yes",
    )


def _select(row: dict[str, str]) -> str:
    """Return the select of the rows that a condition holds for.

    With a key, that of the rows that have the same as an earlier one.
    """
    named = (name for _, name, _, _ in string.Formatter().parse(row["message"]) if name)
    columns = ["line_number", *(name for name in named if name not in _OTHERS)]
    if row["noun"]:
        columns.append(f"{row['noun']} as noun")
    where = sql_files.filled(row["condition"] or "true")
    if not row["key"]:
        return f"select {', '.join(columns)} from staged where {where}"
    # The rows of a list may share a line.
    repeated = (
        f"select {row['key']}, min(line_number) as first_line,"
        f" max(line_number) as last_line from staged"
        f" where {where} group by {row['key']} having count(*) > 1"
    )
    return (
        f"select {', '.join(columns)}, first_line from staged"
        f" inner join ({repeated}) using ({row['key']})"
        " where line_number > first_line or last_line = first_line"
    )
