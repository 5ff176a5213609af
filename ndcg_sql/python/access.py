"""Access to a warehouse: held open, or opened for each call."""

import inspect
import warnings
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import duckdb

from ndcg_sql.database import opening
from ndcg_sql.database.connections import harmless_path, translated
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.python.datasets import carried
from ndcg_sql.questions.handle import Handle, Place
from ndcg_sql.system import interrupts
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from ndcg_sql.wording import BEGIN, Part

if TYPE_CHECKING:
    from typing_extensions import Self


# The modules that a call passes through, from a caller's own.
_INSIDE = ("ndcg_sql.", "contextlib")
# What DuckDB says of a Ctrl-C that Python tells it of.
_INTERRUPTED = "Query interrupted"


@contextmanager
def in_python(path: str) -> Generator[None]:
    """Make every failure inside an NdcgSqlError; path is that of the warehouse.

    A Ctrl-C is a KeyboardInterrupt, also where DuckDB makes another error of it, which
    `except Exception` would swallow.
    """
    try:
        yield
    except RuntimeError as error:
        if str(error) != _INTERRUPTED:
            raise
        raise KeyboardInterrupt from None
    except (duckdb.InterruptException, BrokenPipeError):
        raise
    except duckdb.Error as error:
        raise translated(error, harmless_path(path)) from error
    except OSError as error:
        where = harmless_path(str(error.filename or path))
        raise NdcgSqlError(f"{where}: {error.strerror}") from error


def warn(lines: Iterable[str]) -> None:
    """Issue messages as warnings about the line of a caller.

    That is the innermost one outside this package.
    """
    frame, level = inspect.currentframe(), 0
    while frame and frame.f_globals.get("__name__", "").startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    for line in lines:
        warnings.warn(line.removeprefix("warning: "), stacklevel=level + 1)


class Access:
    """A warehouse that is opened for each call, or held open."""

    def __init__(
        self,
        path: str | Path,
        *,
        wait: float = opening.WAIT,
        messages: Messages = opening.SILENT,
        limits: Limits = opening.USUAL,
    ) -> None:
        """Name a warehouse; nothing is opened yet.

        Every call waits up to wait seconds for another process to release the file.
        messages are told what opening it takes.
        """
        self._path = Path(path)
        self._wait, self._messages, self._limits = wait, messages, limits
        self._held: Database | None = None
        self._written: Database | None = None
        self._is_closed = False
        self._connection: duckdb.DuckDBPyConnection | None = None

    @classmethod
    def read(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        messages: Messages = opening.SILENT,
        limits: Limits = opening.USUAL,
        copy: bool = False,
    ) -> "Self":
        """Open a warehouse read-only and hold it; raise NdcgSqlError if that fails.

        Waits up to wait seconds for another process to release the file. Until it
        is closed, no other process can write to the file. With copy, others can:
        this opens a private copy of the file as it is now, which takes as much
        disk space until it is closed.
        """
        with in_python(str(path)):
            held = opening.read(Path(path), wait, messages, limits, copy=copy)
        return cls(path, wait=wait, messages=messages, limits=limits).holding(held)

    @classmethod
    def write(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        messages: Messages = opening.SILENT,
        limits: Limits = opening.USUAL,
        make: bool = True,
    ) -> "Self":
        """Open a warehouse for writing and hold it; create or upgrade it if needed.

        A file without the warehouse's tables gets them in the first transaction;
        if that fails, the file is as before: absent or unchanged. Without make,
        such a file is refused.
        """
        own = cls(path, wait=wait, messages=messages, limits=limits)
        with in_python(str(path)):
            return own.holding(own._written_file(make, BEGIN))

    @classmethod
    def memory(cls, limits: Limits = opening.USUAL) -> "Self":
        """Create a warehouse in memory, which is gone when closed."""
        with in_python(":memory:"):
            held = opening.memory(limits)
        return cls(":memory:", limits=limits).holding(held)

    def holding(self, database: Database) -> "Self":
        """Hold an open database until closed."""
        self._held = database
        return self

    @property
    def database(self) -> Database:
        """The database that is held open.

        Raises NdcgSqlError once it is closed, or where calls open the file.
        """
        self._check_open()
        if self._held is None:
            raise NdcgSqlError(
                f"Warehouse({str(self._path)!r}) opens the file for each call; to hold"
                " it open, use Warehouse.read(path) or Warehouse.write(path)"
            )
        return self._held

    @property
    def has_changed(self) -> bool:
        """Whether the last change that was begun is committed."""
        return self._written is not None and self._written.changed

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection for your own SQL on the public relations.

        It is opened on first use and closed with the warehouse, which must be held
        open; query works on every warehouse.
        """
        database = self.database
        if self._connection is None:
            self._connection = database.connection.cursor()
        return self._connection

    def _check_open(self) -> None:
        if self._is_closed:
            raise NdcgSqlError("the warehouse is closed; open it again")

    def _reading(
        self, wait: float | None = None, limits: Limits | None = None
    ) -> AbstractContextManager[Database]:
        """Give the database, open for reading; failures speak of arguments."""
        return self._held_or(lambda: self._read_file(False, wait, limits))

    @contextmanager
    def _writing(self, make: bool, first: Part) -> Generator[Database]:
        """Give the database, open for writing; failures speak of arguments.

        Where the call opens the file, a KeyboardInterrupt says what became of it.
        """
        try:
            with self._held_or(lambda: self._written_file(make, first)) as database:
                yield database
        except KeyboardInterrupt:
            if self._held is not None:
                raise
            raise KeyboardInterrupt(interrupts.left(self.has_changed)) from None

    def _written_file(self, make: bool, first: Part) -> Database:
        """Open the file for writing; without make, it must exist, made by first."""
        self._written = None
        self._written = opening.write(
            self._path, refill, self._wait, self._messages, self._limits, make, first
        )
        return self._written

    def _read_file(
        self, copy: bool, wait: float | None = None, limits: Limits | None = None
    ) -> Database:
        wait, limits = self._wait if wait is None else wait, limits or self._limits
        return opening.read(self._path, wait, self._messages, limits, copy=copy)

    @property
    def _folder(self) -> Path | None:
        if self._held is not None:
            return self._held.folder
        return self._limits.temporary or self._path.absolute().parent

    @contextmanager
    def handle(
        self, messages: Messages, values: Mapping[str, object]
    ) -> Generator[Handle]:
        """Give what a question is asked of, which opens the file when it is read.

        values are those of the question's parameters: hints name its dataset, and what
        fails is its target, if it has one.
        """
        self._check_open()
        with carried(values.get("dataset"), messages) as about_it, ExitStack() as stack:

            def reading(is_bounded: bool) -> Database:
                limits = replace(self._limits, is_bounded=is_bounded)
                return stack.enter_context(self._reading(limits=limits))

            def writing(make: bool, first: Part) -> Database:
                return stack.enter_context(self._writing(make, first))

            def scratch() -> Database:
                return stack.enter_context(opening.scratch(self._limits))

            stack.enter_context(in_python(str(values.get("target", self._path))))
            place = Place(
                *(self._path, self._folder, self._wait, self._limits),
                *(self._held, self._read_file),
            )
            yield Handle(about_it, place, reading, writing, scratch)

    @contextmanager
    def _held_or(self, opened: Callable[[], Database]) -> Generator[Database]:
        """Give the database that is held, or else one that is opened."""
        self._check_open()
        with in_python(str(self._held.path if self._held else self._path)):
            if self._held is not None:
                yield self._held
                return
            with opened() as database:
                yield database

    def __enter__(self) -> "Self":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it contains every change."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._connection is not None:
            self._connection.close()
        if self._held is not None:
            with in_python(self._held.path):
                self._held.close()
