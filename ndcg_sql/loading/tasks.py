"""What is to be loaded, whatever its kind."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.measuring import Pair
from ndcg_sql.loading.options import Options
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.proposals.refusals import add_proposal, argument_of
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name


@dataclass(frozen=True)
class Task:
    """Files of a kind to be loaded into a database, as options say.

    streams holds the files that are already open. pairs are of the new runs and the
    judgment sets with which their values are to be stored.
    """

    database: Database
    kind: Kind
    paths: Sequence[Path]
    options: Options
    messages: Messages
    streams: Streams | None = None
    pairs: list[Pair] = field(default_factory=list[Pair])

    def name(self, path: Path) -> str:
        """Return the name of what a file becomes, unless its rows say it."""
        options = self.options
        return options.name or options.names.get(path) or default_name(path)

    def origin(self, path: Path) -> str:
        """Return what the warehouse calls the source of a file."""
        return sources.origin(path, self.streams)

    def argument(self, path: Path, source: Source) -> object | None:
        """Return what a call names a file or the rows of a database by, if it can."""
        return argument_of(path, source, self.streams)

    @contextmanager
    def opened(self, path: Path, messages: Messages | None = None) -> Generator[Source]:
        """Open a file, with its messages where all go unless others are named."""
        messages, folder = messages or self.messages, self.database.folder
        with sources.opened(path, messages, folder, self.streams) as source:
            yield source

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
