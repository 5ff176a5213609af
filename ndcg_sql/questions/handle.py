"""What a question is asked of: a warehouse that opens when it is needed."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Context
    from ndcg_sql.database.database import Database
    from ndcg_sql.loading.loaded import LoadedItem
    from ndcg_sql.reading.columns import Kind
    from ndcg_sql.system.limits import Limits
    from ndcg_sql.system.messages import Messages


@dataclass
class Handle:
    """A warehouse that is opened when a question needs it, and where messages go.

    held is the database that is open already, if there is one; notices are told what
    opening the file takes.
    """

    path: Path
    wait: float
    limits: "Limits"
    messages: "Messages"
    notices: "Messages"
    held: "Database | None" = None
    stack: ExitStack = field(default_factory=ExitStack)
    # Whether the file was to be opened for writing, and the database if it was.
    is_writing: bool = False
    writer: "Database | None" = None

    @property
    def folder(self) -> Path | None:
        """The folder for temporary files."""
        if self.held is not None:
            return self.held.folder
        return self.limits.temporary or self.path.absolute().parent

    @property
    def has_changed(self) -> bool:
        """Whether the change that the file was opened for is committed."""
        return self.writer is not None and self.writer.changed

    def opened(self, copy: bool = False, is_bounded: bool = True) -> "Database":
        """Open the file for reading, or a copy of it, also where one is held."""
        # Imported late, as help should not wait for DuckDB.
        from ndcg_sql.database import opening

        limits = replace(self.limits, is_bounded=is_bounded)
        return opening.read(self.path, self.wait, self.notices, limits, copy=copy)

    @cached_property
    def database(self) -> "Database":
        """The warehouse, opened for reading."""
        return self._held_or(self.opened)

    def of(self, database: "Database") -> "Context":
        """Return what a question about a database needs."""
        from ndcg_sql.comparison.answers import Context

        return Context(database, self.messages)

    @property
    def read(self) -> "Context":
        """The warehouse, opened for reading, and where messages go."""
        return self.of(self.database)

    @property
    def changing(self) -> "tuple[Database, Messages]":
        """The warehouse, opened for writing, and where messages go."""
        return self.written, self.messages

    @cached_property
    def unbounded(self) -> "Database":
        """The warehouse, opened for reading with all memory that DuckDB would take."""
        return self._held_or(partial(self.opened, is_bounded=False))

    @cached_property
    def written(self) -> "Database":
        """The warehouse, opened for writing; it must exist."""
        return self._written(make=False)

    @cached_property
    def made(self) -> "Database":
        """The warehouse, opened for writing; it is made if there is none."""
        return self._written(make=True)

    def _written(self, make: bool) -> "Database":
        from ndcg_sql.database import opening
        from ndcg_sql.evaluation.values import refill

        def opened() -> "Database":
            place = self.path, refill, self.wait, self.notices, self.limits
            self.writer = opening.write(*place, make)
            return self.writer

        self.is_writing = self.held is None
        return self._held_or(opened)

    @cached_property
    def scratch(self) -> "Database":
        """An empty database in memory, for what depends on no warehouse."""
        from ndcg_sql.database import opening

        return self.stack.enter_context(opening.scratch(self.limits))

    def _held_or(self, opened: "Callable[[], Database]") -> "Database":
        """Return the database that is held, or else one until the question ends."""
        if self.held is not None:
            return self.held
        return self.stack.enter_context(opened())


def loaded_items(
    warehouse: Handle, kind: "Kind", data: Any, values: Mapping[str, Any]
) -> "list[LoadedItem]":
    """Load files, folders, rows of a database or a frame; return what they became."""
    # What reads files is imported by who loads some: a report would wait for it.
    from ndcg_sql.loading import frames
    from ndcg_sql.loading.options import Options

    options, messages = Options.of(values), warehouse.messages
    where = warehouse.folder, warehouse.limits
    with frames.received(data, kind, options, messages, *where) as content:
        return frames.load(warehouse.made, content, kind, options, messages)
