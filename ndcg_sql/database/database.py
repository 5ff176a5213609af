"""A DuckDB database with our tables and views: SQL in transactions."""

import os
import weakref
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import duckdb

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.connections import harmless_path, is_disk_full, room
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import interrupts, progress
from ndcg_sql.text import sql_name

Parameters = dict[str, Any]
Row = tuple[Any, ...]
# Selects the records in the parameter rows.
ROWS = "select unnest($rows, recursive := true)"
# Bytes at the end of a file that are worth giving back, and how many numbers fill a
# block and more.
_SURPLUS = 4 << 20
_OF_A_BLOCK = 40_000
# The table that they are written to for a moment; a kill can leave it.
FILLING = "last_block"


class Stream(Protocol):
    """Rows for Arrow's interface of streams; error is what ended them early."""

    error: BaseException | None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the stream as a capsule."""
        ...


class Database:
    """A database that SQL runs on; ndcg_sql.database.opening opens one.

    connection is DuckDB's, whose unqualified names are those of the schema
    store; path is that of its file, or ":memory:"; folder is where copies of
    files go, None for the system's temporary folder. For one thread only.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: str, folder: Path | None
    ) -> None:
        """Wrap a connection."""
        self.connection = connection
        self.path = path
        self.folder = folder
        self.is_read_only = False
        # Whether it exists only for a single command.
        self.is_scratch = False
        # Whether its tables are still to be created, by the first transaction.
        self.is_new = False
        # Whether any transaction was committed.
        self.changed = False
        # The size of the file before any change.
        self._size = 0 if path == ":memory:" else Path(path).stat().st_size
        # What the first transaction does first.
        self.first_step: Callable[[Database], None] | None = None
        # Whether a transaction has begun, of which others would be parts.
        self._is_begun = False
        # What is done when the present transaction ends, committed or not.
        self.afterwards = ExitStack()
        # Whether opening it created the file, which is removed if it stays unused.
        self.is_created = False
        # What is cleaned up on closing, or without it: its temporary folder.
        self.closing = ExitStack()
        weakref.finalize(self, _clean_up, self.closing, os.getpid())

    def __enter__(self) -> "Database":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abandon()

    def abandon(self) -> None:
        """Close after an error, of which an error of closing would hide the reason."""
        with suppress(duckdb.Error, NdcgSqlError):
            self.close()

    def close(self) -> None:
        """Fold the log into the file and close; no .wal outlives it."""
        try:
            if self.path != ":memory:" and not (self.is_read_only or self.is_new):
                with interrupts.whole():
                    self._fold_log() if self.changed else self._shrink()
        finally:
            # Until it is closed, the lock is held, so that no other process uses it.
            with self.closing, self.connection:
                if self.is_created and not self.changed:
                    for path in (f"{self.path}.wal", self.path):
                        Path(path).unlink(missing_ok=True)

    def _fold_log(self) -> None:
        """Fold the log into the file; if the disk is full, say where the change is."""
        try:
            self.connection.execute("checkpoint")
            self._shrink()
        except duckdb.Error as error:
            if not is_disk_full(error):
                raise
            log = f"the change is committed, in {self.shown}.wal"
            merged = "and the next command that writes merges it into the file"
            raise NdcgSqlError(
                f"no space left on the disk; {log}; {room(str(error))}, {merged}",
                where=self.shown,
            ) from error

    def _shrink(self) -> None:
        """Give back the space that an interrupted change left at the end of the file.

        DuckDB cuts the file when it frees its last block, and not before.
        """
        sizes = (
            "select block_size * total_blocks, free_blocks from pragma_database_size()"
            " where database_name = current_database()"
        )
        [(used, free)] = self.connection.execute(sizes).fetchall()
        least = used if self.changed else self._size
        if Path(self.path).stat().st_size - least < _SURPLUS:
            return
        # Those within the file are filled first; a rollback has left all of them free.
        rows = _OF_A_BLOCK * (free + 2) if self.changed else 1
        last = self.stored(FILLING)
        numbers = f"select hash(range) from range({rows})"
        table = f"create or replace table {last} as {numbers}"
        for sql in (table, "checkpoint", f"drop table {last}", "checkpoint"):
            self.connection.execute(sql)

    def execute(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute one statement and return its rows.

        Parameters that the statement does not name are ignored.
        """
        with self._executed(sql, parameters) as executed:
            return executed.fetchall()

    @contextmanager
    def _executed(
        self, sql: str, parameters: Parameters | None
    ) -> Generator[duckdb.DuckDBPyConnection]:
        """Execute one statement; its rows must be fetched inside."""
        # Statements that DuckDB splits, such as COPY FROM DATABASE, are passed as text.
        parsed = self.connection.extract_statements(sql)
        wanted = parsed[0].named_parameters
        values = {k: v for k, v in (parameters or {}).items() if k in wanted}
        statement = parsed[0] if len(parsed) == 1 else sql
        with (
            interrupts.statement(self.connection),
            progress.statement(self.connection),
        ):
            yield self.connection.execute(statement, values or None)

    def records(
        self, sql: str, parameters: Parameters | None = None
    ) -> list[dict[str, Any]]:
        """Execute one statement and return its rows by column name."""
        rows = self.execute(sql, parameters)
        names = [column[0] for column in self.connection.description or []]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def arrays(
        self, sql: str, parameters: Parameters | None = None
    ) -> list[dict[str, Any]]:
        """Execute one statement and return its rows by column name.

        A list becomes a numpy array, without a Python object for each of its
        values, of which there may be millions.
        """
        arrays = self.columns(sql, parameters)
        columns: list[list[Any]] = [column.tolist() for column in arrays.values()]
        return [
            dict(zip(arrays, row, strict=True)) for row in zip(*columns, strict=True)
        ]

    def columns(self, sql: str, parameters: Parameters | None = None) -> dict[str, Any]:
        """Execute one statement and return the numpy arrays of its columns."""
        with self._executed(sql, parameters) as executed:
            fetched: Any = executed
            return fetched.fetchnumpy()

    def run(self, file: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute a file under sql/, such as "store/hits", and return its rows."""
        return self.execute(sql_files.read(file), parameters)

    @property
    def shown(self) -> str:
        """The path of the file, harmless to print."""
        return harmless_path(self.path)

    @cached_property
    def catalog(self) -> str:
        """The name that DuckDB gave the database, after that of its file."""
        [(name,)] = self.execute("select current_database()")
        return name

    def stored(self, table: str) -> str:
        """Return the full name of a table of the file, which nothing can hide."""
        # The schema alone is not enough: temporary tables hide that name, too.
        return f"{sql_name(self.catalog)}.{views.STORE}.{table}"

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Commit what is done inside; on any exception, roll it back.

        One inside another is a part of it.
        """
        if self.is_scratch:
            yield
            return
        is_part = self._is_begun
        if not is_part:
            self.execute("begin transaction")
            self._is_begun = True
        try:
            if self.first_step and not is_part:
                self.first_step(self)
            yield
            interrupts.check()
            if is_part:
                return
            with interrupts.whole():
                self.connection.execute("commit")
                self.first_step = None
                self.is_new = False
                # What was written is then in another file that is attached.
                self.changed = self.changed or not self.is_read_only
        except BaseException:
            # A commit that failed, or a part that did, has ended it already, and after
            # an error of the disk DuckDB does nothing more: that is not the reason.
            with suppress(duckdb.Error), interrupts.whole():
                self.connection.execute("rollback")
            raise
        finally:
            if not is_part:
                self._is_begun = False
                self.afterwards.close()

    def temporary(
        self, table: str, select: str, parameters: Parameters | None = None
    ) -> AbstractContextManager[None]:
        """Put the rows of a select into a temporary table while inside.

        It hides a table of the same name, which the select itself may read.
        """
        return self._made("table", table, select, parameters)

    def hide(self, table: str, select: str) -> AbstractContextManager[None]:
        """Hide a table behind a temporary view of this select."""
        return self._made("view", table, select, None)

    @contextmanager
    def _made(
        self, kind: str, name: str, select: str, parameters: Parameters | None
    ) -> Generator[None]:
        """Make a temporary table or view while inside.

        If the transaction was aborted, the rollback drops what was made in it.
        """
        self.execute(f"create temp {kind} {name} as {select}", parameters)
        try:
            yield
        finally:
            with suppress(duckdb.TransactionException):
                self.execute(f"drop {kind} temp.{name}")

    @contextmanager
    def setting(self, name: str, value: str) -> Generator[None]:
        """Have a setting of DuckDB while inside."""
        # Its own cursor sets it back even if the transaction was aborted.
        with self.connection.cursor() as cursor:
            now = f"select current_setting('{name}')"
            [(before,)] = cursor.execute(now).fetchall()
            cursor.execute(f"set {name} = '{value}'")
            try:
                yield
            finally:
                cursor.execute(f"set {name} = '{before}'")

    @contextmanager
    def received(self, view: str, stream: Stream) -> Generator[None]:
        """Show the rows of Arrow's stream as a temporary view, to be read once.

        Raises what ended the stream early, if anything: DuckDB takes it for the end.
        """
        # Of the capsule itself: for an object that has one, DuckDB imports pyarrow.
        self.connection.register(view, stream.__arrow_c_stream__())
        try:
            yield
            if stream.error is not None:
                raise stream.error
        finally:
            # In a transaction that was aborted, the rollback drops it.
            with suppress(duckdb.TransactionException):
                self.connection.unregister(view)


def _clean_up(closing: ExitStack, process: int) -> None:
    """Clean up what a database left, unless this is a fork of its process."""
    if os.getpid() == process:
        closing.close()
