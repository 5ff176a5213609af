"""A file of a run or of judgments: how it was opened, and what its rows are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database
from ndcg_sql.loading import subtopics
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.glimpses import Glimpse
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Wording

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun


@dataclass(frozen=True)
class Sheet:
    """A file as it was opened, how it is read, and the options that say so."""

    database: Database
    kind: Ranked
    source: Source
    how: Layout
    options: Options

    def whole(self, columns: Iterable[str]) -> Layout:
        """Return how the file is read with the places of further columns, too."""
        reading = replace(self.options, wanted=tuple(columns))
        return layout(self.source, self.kind, reading)[0]


@dataclass(frozen=True)
class Files:
    """A file to be loaded, with the list that belongs to it.

    If source is a glimpse, whole opens the file to be looked at whole.
    """

    source: Source
    listed: Source | None
    glimpse: Glimpse | None
    whole: Callable[[], Source]


@dataclass(frozen=True)
class Rows:
    """What the staged rows of a file are, and how they were read.

    runs are the names of the runs among which they are to be divided, if there are
    several; run is the name that all rows give, if any; namer says what gives these
    names. dropped counts the duplicates that were left out of each run, or of all
    rows under "", chunks those of documents that have a better one, comments the
    lines that were skipped; empty are the runs and queries of answers without
    documents. rule is that of
    positions: the one that was asked for, but lists without scores are in the order of
    their ranking. clean is what is known of a run whose file is clean; its rows are
    staged with their positions, or not at all for a single command.
    """

    how: Layout
    rule: str
    runs: tuple[str, ...] = ()
    run: str | None = None
    namer: str = ""
    warnings: tuple[Wording, ...] = ()
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    chunks: dict[str, int] = field(default_factory=dict[str, int])
    comments: int = 0
    empty: tuple[tuple[str, str], ...] = ()
    clean: "CleanRun | None" = None

    def empty_of(self, run: str) -> list[str]:
        """Return the queries that a run answers without documents."""
        return [query for of_run, query in self.empty if not self.runs or of_run == run]

    @property
    def has_subtopics(self) -> bool:
        """Whether they are judgments that name the subtopics that they are for."""
        return subtopics.COLUMN in self.how.fields


def namer_of(how: Layout, by_pattern: bool = False) -> str:
    """Return what gives the names of runs, for messages."""
    return f"{'pattern' if by_pattern else 'column'} {quoted(how.run_column)}"
