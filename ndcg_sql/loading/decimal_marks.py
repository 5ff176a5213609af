"""Points in numbers of text: decimal marks, or between thousands."""

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
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
        place: Parameters = {"number_field": how.fields[column]}
        select = sql_files.composed((*how.steps, "lookups/decimal_marks"))
        for line, text in database.execute(select, {**how.parameters, **place}):
            what = "has a point, but other fields have decimal commas"
            raise _doubt(source, line, column, text, what)


def check_weights(database: Database, source: Source, how: Layout) -> Text | None:
    """Return a warning if the points of all staged weights may separate thousands.

    Weights are often counts. Raises NdcgSqlError where the others are whole numbers
    below 1000, which need no point there: such a file hardly has decimals. Without
    them, weights that are all too small by the same factor weigh alike.
    """
    if "delimiter" not in how.parameters or "weight" not in how.fields:
        # JSON, Parquet and workbooks have numbers of their own.
        return None
    for line, text, small in database.run("lookups/grouped_weights"):
        if small:
            what = f"has a point, but others have none, such as {quoted(small)}"
            raise _doubt(source, line, "weight", text, what)
        return Text(
            f"{source.shown}: each weight above 0 has a point and three digits after"
            f" it, such as {quoted(text)}; ",
            _EITHER,
        )
    return None


def _doubt(
    source: Source, line: int, column: str, text: str, what: str
) -> NdcgSqlError:
    """Return the error for a number with a point."""
    where = f"{source.shown}:{line}"
    return NdcgSqlError(f"{where}: {column} {quoted(text)} {what}", _EITHER)
