"""What a question is asked of: a warehouse that opens when it is needed."""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.system.messages import Messages


class Handle:
    """A warehouse that is opened when a question needs it, and where messages go.

    What a question refuses by itself, it refuses before the file is opened.
    """

    def __init__(
        self,
        messages: "Messages",
        reading: "Callable[[bool], Database]",
        writing: "Callable[[bool], Database]",
        scratch: "Callable[[], Database]",
    ) -> None:
        self.messages = messages
        self._reading, self._writing, self._scratch = reading, writing, scratch

    @cached_property
    def database(self) -> "Database":
        """The warehouse, opened for reading."""
        return self._reading(True)

    @cached_property
    def unbounded(self) -> "Database":
        """The warehouse, opened for reading with all memory that DuckDB would take."""
        return self._reading(False)

    @cached_property
    def written(self) -> "Database":
        """The warehouse, opened for writing; it must exist."""
        return self._writing(False)

    @cached_property
    def made(self) -> "Database":
        """The warehouse, opened for writing; it is made if there is none."""
        return self._writing(True)

    @cached_property
    def scratch(self) -> "Database":
        """An empty database in memory, for what depends on no warehouse."""
        return self._scratch()
