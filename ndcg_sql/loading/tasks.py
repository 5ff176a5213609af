"""What is to be loaded, and of runs and judgments, what the rows of a file are."""

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Row
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.measuring import Pair
from ndcg_sql.loading.options import Options
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals.refusals import add_proposal
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.system.paths import STDIN, argument, default_name, source_name
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Text, Wording, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.files import CleanRun
SUBTOPIC = "subtopic"
_EITHER = Text(
    "if the point separates thousands: ",
    use(decimal=","),
    "; if it is a decimal mark: ",
    use(decimal="."),
)
# A column whose name does not say that it is about subtopics.
_ITERATION = "iteration"


@dataclass(frozen=True)
class Task:
    """Files of a kind to be loaded into a database, as options say.

    streams holds the files that are already open. begin begins a transaction, if none
    has begun. held are messages on what is stored, which messages get when it is
    committed. pairs are of the new runs and the judgment sets with which their values
    are to be stored.
    """

    database: Database
    kind: Kind
    paths: Sequence[Path]
    options: Options
    messages: Messages
    streams: Streams = field(default_factory=dict[Path, Source])
    begin: Callable[[], object] = bool
    held: Collected = field(default_factory=Collected)
    pairs: list[Pair] = field(default_factory=list[Pair])

    def name(self, path: Path) -> str:
        """Return the name of what a file becomes, unless its rows say it."""
        options = self.options
        return options.name or options.names.get(path) or default_name(path)

    def origin(self, path: Path) -> str:
        """Return what the warehouse calls the source of a file."""
        noted = self.streams[path].noted if path in self.streams else ""
        return noted or source_name(path)

    def argument(self, path: Path, source: Source) -> object | None:
        """Return what a call names a file or the rows of a database by, if it can."""
        is_file = path == STDIN or path not in self.streams
        return argument(path) if is_file else source.argument

    def opened(
        self, path: Path, messages: Messages | None = None
    ) -> AbstractContextManager[Source]:
        """Open a file, with its messages where all go unless others are named."""
        to, folder = messages or self.messages, self.database.folder
        return sources.opened(path, to, folder, self.streams)

    @contextmanager
    def proposing(self, path: Path, source: Source) -> Generator[None]:
        """Add the command that is likely to load a file to a refusal of it."""
        try:
            yield
        except NdcgSqlError as error:
            # What evaluates files alone is another command.
            is_kept = not self.database.is_scratch
            argument = self.argument(path, source) if is_kept else None
            method, is_alone = f"load_{self.kind}", len(self.paths) == 1
            add_proposal(error, method, self.options, source, argument, is_alone)
            raise


@dataclass(frozen=True)
class Rows:
    """What the staged rows of a file are; source is the file as it was opened.

    runs are the names of the runs among which they are to be divided, if there are
    several; run is the name that all rows give, if any. dropped counts the duplicates
    that were left out of each run, or of all rows under "", chunks those of documents
    that have a better one; empty are the runs and queries of answers without documents.
    The rows of a clean run are stored already, or not at all for a single command.
    """

    task: Task
    source: Source
    how: Layout
    rule: str
    runs: tuple[str, ...] = ()
    run: str | None = None
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    chunks: dict[str, int] = field(default_factory=dict[str, int])
    empty: tuple[tuple[str, str], ...] = ()
    clean: "CleanRun | None" = None

    def empty_of(self, run: str) -> list[str]:
        """Return the queries that a run answers without documents."""
        return [query for of_run, query in self.empty if not self.runs or of_run == run]

    @property
    def namer(self) -> str:
        """What gives the names of runs, for messages: a column, or a pattern."""
        noun = "pattern" if "{" in (self.how.run_column or "") else "column"
        return f"{noun} {quoted(self.how.run_column)}"

    @property
    def has_subtopics(self) -> bool:
        """Whether they are judgments that name the subtopics that they are for."""
        return SUBTOPIC in self.how.fields


def check_decimal_marks(database: Database, how: Layout) -> Wording:
    """Return a warning of weights, or raise NdcgSqlError for doubtful numbers.

    Their points may separate thousands. A program that separates fields by semicolons
    often writes decimal commas; the same program writes 49490 as 49.490. So may counts
    such as weights be written, if others below 1000 have no point. Weights that are all
    too small weigh alike.
    """
    mark = how.parameters.get("delimiter")
    columns = [c for c in ("score", "grade", "weight") if c in how.fields and mark]
    for column in columns:
        place, odd = {"number_field": how.fields[column]}, list[Row]()
        if mark == ";":
            rows = how.rows(database, "lookups/decimal_marks", **place)
            odd += [(*row, "other fields have decimal commas") for row in rows]
        grouped = list[Row]()
        if column == "weight" or (column == "score" and mark == ";"):
            grouped = how.rows(database, "lookups/grouped_numbers", **place)
            none = "others have none, such as {}".format
            odd += [(*row, none(quoted(small))) for *row, small in grouped if small]
        for line, text, others in odd:
            what = f"{column} {quoted(text)} has a point, but {others}"
            raise NdcgSqlError(f"{how.source.at(line)}: {what}", _EITHER)
        for _, text, _ in grouped if column == "weight" else ():
            what = "each weight above 0 has a point and three digits after it"
            what = f"{how.source.shown}: {what}"
            return Text(f"{what}, such as {quoted(text)}; ", _EITHER)
    return ""


def with_subtopics(database: Database, how: Layout) -> Layout:
    """Return how the staged judgments were read: without subtopics if they name none.

    A column called subtopic names some if it is not empty; the second field of TREC's
    files, or a column called iteration, only if it is not always the same.
    """
    if SUBTOPIC not in how.fields:
        return how
    sql = "select count(distinct subtopic) from staged"
    within = f"{sql} where field_count between $fewest_fields and $most_fields"
    [(count,)] = database.execute(within, how.widths)
    name = how.column_names.get(SUBTOPIC, _ITERATION)
    least = 2 if name.lower() == _ITERATION else 1
    return how if count >= least else how.without(SUBTOPIC)


def stage_attributes(database: Database, how: Layout, names: Sequence[str]) -> None:
    """Stage the values of columns; refuse a second value of a query, with its line."""
    stage(database, "queries", how, table="staged_queries")
    # An empty field gives no value of the attribute.
    database.execute(
        "create or replace temp table staged_attributes as from (select line_number,"
        " query_id, unnest($names) as attribute, fields[unnest($places)] as"
        " attribute_value from staged_queries) where attribute_value <> ''",
        {"names": [*names], "places": [how.attributes[name] for name in names]},
    )
    check_staged(database, "attributes", how)


def store_attributes(
    database: Database, dataset: str, names: Sequence[str]
) -> list[str]:
    """Store the staged attributes; return the messages about them."""
    named = {"dataset": dataset}
    changed = database.run("lookups/changed_attributes", named)
    for file in ("old_query_attributes", "queries_of_attributes", "query_attributes"):
        database.run(f"store/{file}", named)
    noun = "attribute" if len(names) == 1 else "attributes"
    count = "select count(distinct query_id) from staged_attributes"
    [(queries,)] = database.execute(count)
    lines = [f"{noun} of {counted(queries, 'query', 'queries')}: {listed(names)}"]
    lines += [
        f"attribute {quoted(attribute)} of {counted(count, 'query', 'queries')}"
        f" replaced, such as {quoted(now)} in place of {quoted(before)} of"
        f" {quoted(query)}"
        for attribute, count, query, before, now in changed
    ]
    return lines


def check_stored(stored: int, read: int) -> None:
    """Raise NdcgSqlError unless as many rows were stored as were read."""
    if stored != read:
        raise NdcgSqlError(
            f"unexpected: {read} rows were read, but {stored} stored; please report it"
        )
