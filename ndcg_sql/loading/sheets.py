"""A file of a run or of judgments: how it was opened, and what its rows are."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, Wording, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun

SUBTOPIC = "subtopic"
_EITHER = Text(
    "if the point separates thousands: ",
    use(decimal=","),
    "; if it is a decimal mark: ",
    use(decimal="."),
)


@dataclass(frozen=True)
class Sheet:
    """A file as it was opened, how it is read, and the options that say so."""

    database: Database
    kind: Ranked
    source: Source
    how: Layout
    options: Options


@dataclass(frozen=True)
class Rows:
    """What the staged rows of a file are, and how they were read.

    runs are the names of the runs among which they are to be divided, if there are
    several; run is the name that all rows give, if any; namer says what gives these
    names. dropped counts the duplicates that were left out of each run, or of all
    rows under "", chunks those of documents that have a better one; empty are the runs
    and queries of answers without documents. rule is that of positions: the one that
    was asked for, but lists without scores are in the order of their ranking. clean is
    what is known of a run whose file is clean; its rows are staged with their
    positions, or not at all for a single command.
    """

    how: Layout
    rule: str
    runs: tuple[str, ...] = ()
    run: str | None = None
    namer: str = ""
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    chunks: dict[str, int] = field(default_factory=dict[str, int])
    empty: tuple[tuple[str, str], ...] = ()
    clean: "CleanRun | None" = None

    def empty_of(self, run: str) -> list[str]:
        """Return the queries that a run answers without documents."""
        return [query for of_run, query in self.empty if not self.runs or of_run == run]

    @property
    def has_subtopics(self) -> bool:
        """Whether they are judgments that name the subtopics that they are for."""
        return SUBTOPIC in self.how.fields


def namer_of(how: Layout, by_pattern: bool = False) -> str:
    """Return what gives the names of runs, for messages."""
    return f"{'pattern' if by_pattern else 'column'} {quoted(how.run_column)}"


def check_decimal_marks(database: Database, source: Source, how: Layout) -> Wording:
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
