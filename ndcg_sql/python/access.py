"""Access to a warehouse: held open, or opened for each call."""

import inspect
import warnings
from collections.abc import Generator, Iterable, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

import duckdb

from ndcg_sql.database import opening
from ndcg_sql.database.connections import harmless_path, translated
from ndcg_sql.database.database import Database
from ndcg_sql.database.opening import SILENT, USUAL
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.fields import options_of
from ndcg_sql.questions.handle import Handle
from ndcg_sql.system import interrupts
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Changing, Messages
from ndcg_sql.wording import Call

if TYPE_CHECKING:
    from typing_extensions import Self

    from ndcg_sql.comparison.answers import Answer


# The modules that a call passes through, from a caller's own.
_INSIDE = ("ndcg_sql.", "contextlib")
# What DuckDB says of a Ctrl-C that Python tells it of.
_INTERRUPTED = "Query interrupted"
# Their dataset limits where a measure is registered; no hint is about it.
_REGISTERING = ("add_measures", "remove_measures")


@contextmanager
def in_python(path: str) -> Generator[None]:
    """Make every failure inside an NdcgSqlError, but a Ctrl-C a KeyboardInterrupt."""
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
    """Issue messages as warnings about the innermost line outside this package."""
    frame, level = inspect.currentframe(), 0
    while frame and frame.f_globals.get("__name__", "").startswith(_INSIDE):
        frame, level = frame.f_back, level + 1
    for line in lines:
        warnings.warn(line.removeprefix("warning: "), stacklevel=level + 1)


@contextmanager
def carried(dataset: object, messages: Messages) -> Generator[Messages]:
    """Give messages; calls in them, and in a refusal, name a dataset if they can."""
    if not isinstance(dataset, str) or dataset == "default":
        yield messages
        return

    def named(one: Call) -> Call:
        """Return a call with the dataset, if its method takes that of its subject."""
        is_about = one.method not in _REGISTERING and "dataset" in options_of(
            one.method
        )
        return replace(
            one, fields={"dataset": dataset, **one.fields} if is_about else one.fields
        )

    try:
        yield Changing(messages, named)
    except NdcgSqlError as error:
        error.change(lambda text: text.with_calls(named))
        raise


@contextmanager
def asking(handle: Handle, values: Mapping[str, object]) -> Generator[Handle]:
    """Give what a question with some values is asked of; hints name its dataset."""
    target = str(values.get("target", handle.path))
    try:
        with (
            carried(values.get("dataset"), handle.messages) as handle.messages,
            in_python(target),
            handle.stack,
        ):
            yield handle
    except KeyboardInterrupt:
        if not handle.is_writing:
            raise
        raise KeyboardInterrupt(interrupts.left(handle.has_changed)) from None


def write_page(warehouse: Handle, answer: "Answer", command: str) -> Path | None:
    """Write the page of an answer, made by a command, if any; return its file."""
    if answer.page is not None:
        from ndcg_sql.output.html.page import write_page as write
        from ndcg_sql.reports.overview import overviews

        boards = overviews(warehouse.database, answer)
        path = Path(warehouse.database.path)
        write(path, answer.page, command, boards, answer.about)
    return answer.page


class Access:
    """A warehouse that is opened for each call, or held open."""

    def __init__(
        self, path: str | Path, *, wait: float = opening.WAIT, limits: Limits = USUAL
    ) -> None:
        """Name a warehouse; nothing is opened yet.

        Every call waits up to wait seconds for another process to release the file.
        """
        self._path, self._wait, self._limits = Path(path), wait, limits
        self._held: Database | None = None
        self._is_closed = False
        self._connection: duckdb.DuckDBPyConnection | None = None

    @classmethod
    def read(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        limits: Limits = USUAL,
        copy: bool = False,
    ) -> "Self":
        """Open a warehouse read-only and hold it; raise NdcgSqlError if that fails.

        Waits up to wait seconds for another process to release the file. Until it
        is closed, no other process can write to the file. With copy, others can:
        this opens a private copy of the file as it is now, which takes as much
        disk space until it is closed.
        """
        with in_python(str(path)):
            held = opening.read(Path(path), wait, SILENT, limits, copy=copy)
        return cls(path, wait=wait, limits=limits).holding(held)

    @classmethod
    def write(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        limits: Limits = USUAL,
        make: bool = True,
    ) -> "Self":
        """Open a warehouse for writing and hold it; create or upgrade it if needed.

        A file without the warehouse's tables gets them in the first transaction;
        if that fails, the file is as before: absent or unchanged. Without make,
        such a file is refused.
        """
        with in_python(str(path)):
            held = opening.write(Path(path), refill, wait, SILENT, limits, make)
        return cls(path, wait=wait, limits=limits).holding(held)

    @classmethod
    def memory(cls, limits: Limits = USUAL) -> "Self":
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

    def handle(
        self, messages: Messages, values: Mapping[str, object]
    ) -> AbstractContextManager[Handle]:
        """Give what a question with some values is asked of, see asking."""
        self._check_open()
        place = self._path, self._wait, self._limits
        return asking(Handle(*place, messages, SILENT, self._held), values)

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
