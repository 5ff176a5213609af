"""What a question is asked of: a warehouse that opens when it is needed."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ndcg_sql.wording import BEGIN, Part

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.system.limits import Limits
    from ndcg_sql.system.messages import Messages


class Place(NamedTuple):
    """Where a warehouse is: its file, and how that may be read.

    folder is for temporary files. opened opens the file, or with True a copy of it,
    also where held is the database that is open already.
    """

    path: Path
    folder: Path | None
    wait: float
    limits: "Limits"
    held: "Database | None"
    opened: "Callable[[bool], Database]"


class Handle:
    """A warehouse that is opened when a question needs it, and where messages go.

    What a question refuses by itself, it refuses before the file is opened.
    """

    def __init__(
        self,
        messages: "Messages",
        place: Place,
        reading: "Callable[[bool], Database]",
        writing: "Callable[[bool, Part], Database]",
        scratch: "Callable[[], Database]",
    ) -> None:
        self.messages, self.place = messages, place
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
        return self.written_after(BEGIN)

    def written_after(self, first: Part) -> "Database":
        """Return the warehouse, opened for writing; first is what would make one."""
        return self._writing(False, first)

    @cached_property
    def made(self) -> "Database":
        """The warehouse, opened for writing; it is made if there is none."""
        return self._writing(True, BEGIN)

    @cached_property
    def scratch(self) -> "Database":
        """An empty database in memory, for what depends on no warehouse."""
        return self._scratch()
