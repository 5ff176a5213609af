"""Points in numbers of text: decimal marks, or between thousands."""

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, Wording, use

_EITHER = Text(
    "if the point separates thousands: ",
    use(decimal=","),
    "; if it is a decimal mark: ",
    use(decimal="."),
)


def check(database: Database, source: Source, how: Layout) -> Wording:
    """Return a warning of weights, or raise NdcgSqlError for doubtful numbers.

    Their points may separate thousands. A program that separates fields by semicolons
    often writes decimal commas; the same program writes 49490 as 49.490. So may counts
    such as weights be written, if others below 1000 have no point. Weights that are all
    too small weigh alike.
    """
    mark = how.parameters.get("delimiter")
    columns = [c for c in ("score", "grade", "weight") if c in how.fields and mark]
    for column in columns:
        place = {"number_field": how.fields[column]}
        if mark == ";":
            for line, text in how.rows(database, "lookups/decimal_marks", **place):
                what = "has a point, but other fields have decimal commas"
                raise _doubt(source, line, column, text, what)
        if column == "weight" or (column == "score" and mark == ";"):
            rows = how.rows(database, "lookups/grouped_numbers", **place)
            for line, text, small in rows:
                if small:
                    what = "has a point, but others have none, such as "
                    raise _doubt(source, line, column, text, what + quoted(small))
                if column == "weight":
                    what = "each weight above 0 has a point and three digits after it"
                    what = f"{source.shown}: {what}, such as {quoted(text)}; "
                    return Text(what, _EITHER)
    return ""


def _doubt(
    source: Source, line: int, column: str, text: str, what: str
) -> NdcgSqlError:
    where = f"{source.shown}:{line}"
    return NdcgSqlError(f"{where}: {column} {quoted(text)} {what}", _EITHER)
