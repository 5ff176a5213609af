"""One run of the program: the global options, and the warehouse that they name."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from ndcg_sql.options import Option
from ndcg_sql.questions.handle import Handle
from ndcg_sql.system import terminal
from ndcg_sql.system.limits import Limits, check_folder, memory_bytes
from ndcg_sql.system.messages import Messages

# The warehouse that is meant where none is named.
WAREHOUSE = Path("ndcg.duckdb")


@dataclass
class Session:
    """One run of the program: a warehouse, seconds to wait, limits, and messages."""

    path: Path = Path()
    wait: float = 0
    limits: Limits = field(default_factory=Limits)
    messages: Messages = field(default_factory=Messages)
    # Whether the command concerns the warehouse at all.
    has_warehouse: bool = True
    _handles: list[Handle] = field(default_factory=list[Handle])

    def handle(self, question: "partial[Any]") -> AbstractContextManager[Handle]:
        """Give the warehouse to a question, which opens it."""
        # Imported late, as in all commands: help should not wait for DuckDB.
        from ndcg_sql.python.access import asking

        place = self.path, self.wait, self.limits
        self._handles.append(Handle(*place, self.messages, self.messages))
        return asking(self._handles[-1], question.keywords)

    @property
    def has_changed(self) -> bool:
        """Whether a change of the warehouse is committed."""
        return any(handle.has_changed for handle in self._handles)


def begin(
    session: Session,
    *,
    warehouse: Annotated[Path, Option(short="w", variable="WAREHOUSE")] = WAREHOUSE,
    wait: Annotated[float, Option(word="timeout", least=0)] = 10.0,
    threads: Annotated[int | None, Option(variable="THREADS")] = None,
    memory: Annotated[
        str | None, Option(word="memory_limit", variable="MEMORY_LIMIT")
    ] = None,
    temporary: Annotated[
        Path | None, Option(word="temp_directory", variable="TEMP_DIRECTORY")
    ] = None,
    color: Literal["auto", "always", "never"] = "auto",
    quiet: bool = False,  # noqa: ARG001
    version: bool = False,  # noqa: ARG001
) -> None:
    """Evaluate rankings in a warehouse: NDCG and related measures as SQL views.

    warehouse FILE: The warehouse file.
    wait SECONDS: How long to wait for a file that another process has open, and for a
        database or the master of Spark to answer (at least 10).
    threads N: Number of threads, from 1 to 1024; all available processors if omitted.
    memory SIZE: Memory for DuckDB, such as 500MB or 2GiB; what does not fit goes to
        temporary files. 1.2GB if omitted, 1GB for query.
    temporary DIR: Directory for temporary files; that of the warehouse if omitted.
    color WHEN: Use colour in tables and messages: auto (on a terminal, unless NO_COLOR
        is set), always or never.
    quiet: Print data only, no messages.
    version: Print the version.
    """
    terminal.choose(color)
    if temporary is not None:
        check_folder(temporary)
        temporary = temporary.absolute()
    bytes_ = None if memory is None else memory_bytes(memory)
    session.limits = Limits(threads, bytes_, temporary)
    session.path, session.wait = warehouse, wait
