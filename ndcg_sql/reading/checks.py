"""The checks of staged rows: rows of sql/checks.csv."""

from functools import cache
from string import Formatter
from typing import Literal, NamedTuple

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


class Check(NamedTuple):
    """A check: its message, and the select of the staged rows that break it.

    The select has the columns that the message names; condition is what it asks of
    single rows. compares is whether rows are compared with others, is_clean whether a
    well-formed row can break it. needs are the fields of a request that may get past
    it.
    """

    message: str
    select: str
    condition: str
    compares: bool
    is_clean: bool
    needs: list[str]


@cache
def of(rows_of: RowsOf) -> dict[str, Check]:
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
