"""Points in numbers of text: decimal marks, or between thousands."""

from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, use

_EITHER = Text(
    "if the point separates thousands: ",
    use(decimal=","),
    "; if it is a decimal mark: ",
    use(decimal="."),
)


class Grouped(NamedTuple):
    """A number whose point may separate thousands, and its line.

    small is a number of the same column below 1000, which has no point; None if each
    number has one.
    """

    line: int
    text: str
    small: str | None


def check(database: Database, source: Source, how: Layout) -> None:
    """Raise NdcgSqlError for numbers whose points may separate thousands.

    A program that separates fields by semicolons often writes decimal commas; the
    same program writes 49490 as 49.490.
    """
    if how.parameters.get("delimiter") != ";":
        return
    for column in ("score", "grade", "weight"):
        if column not in how.fields:
            continue
        place = how.fields[column]
        for line, text in how.rows(
            database, "lookups/decimal_marks", number_field=place
        ):
            what = "has a point, but other fields have decimal commas"
            raise _doubt(source, line, column, text, what)
    _check_grouped(source, "score", grouped(database, how, "score"))


def check_weights(database: Database, source: Source, how: Layout) -> Text | None:
    """Return a warning if the points of all weights may separate thousands.

    Weights are often counts. Raises NdcgSqlError where some have no point. Without
    such, weights that are all too small by the same factor weigh alike.
    """
    number = grouped(database, how, "weight")
    if number is None:
        return None
    _check_grouped(source, "weight", number)
    return Text(
        f"{source.shown}: each weight above 0 has a point and three digits after"
        f" it, such as {quoted(number.text)}; ",
        _EITHER,
    )


def grouped(database: Database, how: Layout, column: str) -> Grouped | None:
    """Return the first number of a column whose point may separate thousands.

    None unless all numbers of the column may be whole, with points between thousands.
    """
    if "delimiter" not in how.parameters or column not in how.fields:
        # JSON, Parquet and workbooks have numbers of their own.
        return None
    place = how.fields[column]
    rows = how.rows(database, "lookups/grouped_numbers", number_field=place)
    return Grouped(*rows[0]) if rows else None


def _check_grouped(source: Source, column: str, number: Grouped | None) -> None:
    """Raise NdcgSqlError if a grouped number stands beside whole ones below 1000.

    These need no point between thousands; such a file hardly has decimals.
    """
    if number and number.small:
        what = f"has a point, but others have none, such as {quoted(number.small)}"
        raise _doubt(source, number.line, column, number.text, what)


def _doubt(
    source: Source, line: int, column: str, text: str, what: str
) -> NdcgSqlError:
    where = f"{source.shown}:{line}"
    return NdcgSqlError(f"{where}: {column} {quoted(text)} {what}", _EITHER)
