"""Opening a warehouse: for reading, for writing, in memory, for one command."""

from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import duckdb

from ndcg_sql.database import owners, schema, template
from ndcg_sql.database.connections import (
    HEADERS,
    Settings,
    connect,
    copy_open,
    harmless_path,
    in_memory,
    write_at_commit,
)
from ndcg_sql.database.database import Database
from ndcg_sql.errors import DiskFullError, NdcgSqlError
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.limits import MEMORY, Limits, memory_bytes
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import check_local
from ndcg_sql.system.platforms import processors
from ndcg_sql.text import sql_text
from ndcg_sql.wording import BEGIN, Blank, use

# How many seconds to wait for another process that holds the file.
WAIT = 10.0
USUAL = Limits()
SILENT = Messages()


def read(
    path: Path,
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    settings: Settings | None = None,
    copy: bool = False,
) -> Database:
    """Open a warehouse read-only; raise NdcgSqlError if that fails.

    Waits up to wait seconds for another process to release the file. settings
    are DuckDB's, in place of limits; with them, unqualified names are those of
    the schema main, which has only the public relations, and a published file is
    opened, too. With copy, a copy is opened, and the file itself is released.
    """
    check_there(path)
    database = (
        _copied(path, wait, messages, limits)
        if copy
        else hold(path, wait, messages, limits, settings)
    )
    with _abandoned_on_error(database):
        if settings is None or not schema.is_published(database):
            schema.check_readable(database)
        if settings is None:
            schema.use(database)
    return database


@contextmanager
def _abandoned_on_error(database: Database) -> Generator[None]:
    """Close a database if what is done inside fails."""
    try:
        yield
    except BaseException:
        database.abandon()
        raise


def hold(
    path: Path,
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    settings: Settings | None = None,
    copy: Path | None = None,
) -> Database:
    """Open any DuckDB file read-only; no process can write to it meanwhile.

    If there is a copy, that is opened in its place.
    """
    connection = connect(copy or path, wait, True, messages, settings)
    database = Database(connection, str(path), path.absolute().parent)
    database.is_read_only = True
    if settings is None:
        _limit(database, limits)
    return database


def _copied(path: Path, wait: float, messages: Messages, limits: Limits) -> Database:
    """Open a copy of a DuckDB file read-only.

    Its name is removed at once, so that it is gone when it is closed, however this
    process ends.
    """
    with ExitStack() as stack:
        held = stack.enter_context(hold(path, wait, messages, limits))
        folder = stack.enter_context(spill_folder(limits.temporary, held.folder))
        if folder is None:
            raise NdcgSqlError("no folder for the copy: " + use(temporary=Blank("DIR")))
        copy = folder / path.name
        copy_open(path, copy)
        return hold(path, wait, messages, limits, copy=copy)


def write(
    path: Path,
    refill: Callable[[Database], int],
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    make: bool = True,
) -> Database:
    """Open a warehouse for writing; create or upgrade it if needed.

    A new file is removed again unless something is stored in it. Another DuckDB
    file gets our tables in the first transaction, and is unchanged if that fails.
    Without make, both are refused.
    refill recomputes what was stored from the views of another version, and
    returns the number of evaluations.
    """
    created = not path.exists()
    if not make:
        check_there(path)
    elif created:
        _check_folder(path)
    try:
        connection = connect(path, wait, False, messages)
    except DiskFullError:
        # If there is no space, DuckDB leaves the first bytes of the file.
        if created and path.exists() and path.stat().st_size < HEADERS:
            path.unlink()
        raise
    # What is refused stays as it is, its log, too.
    connection.execute("pragma disable_checkpoint_on_shutdown")
    database = Database(connection, str(path), path.absolute().parent)
    with _abandoned_on_error(database):
        # If another process has created it since, it must not be removed.
        sql = "select count(*) from duckdb_tables()"
        database.is_created = created and database.execute(sql) == [(0,)]
        _limit(database, limits)
        if not make:
            schema.check_warehouse(database)
        is_warehouse = schema.is_warehouse(database)
        connection.execute("pragma enable_checkpoint_on_shutdown")
        write_at_commit(connection, path)
        if is_warehouse:
            schema.use(database)
            # What is computed anew must have its owners.
            owners.remove_ownerless(database, messages)
            schema.upgrade(database, messages, refill)
        elif database.is_created:
            _make(database)
            database.changed = False
        else:
            database.is_new = True
            database.first_step = schema.make
    return database


def make(path: Path) -> None:
    """Create a warehouse without data in a new file."""
    with write(path, lambda _: 0) as database, database.transaction():
        pass


def memory(limits: Limits = USUAL) -> Database:
    """Create a warehouse in memory, which is gone when closed."""
    database = Database(in_memory(), ":memory:", None)
    _limit(database, limits)
    _make(database)
    return database


def scratch(limits: Limits = USUAL) -> Database:
    """Create one in memory for a single command.

    Nothing in it outlives a failure, so it needs no transactions, inside which
    DuckDB reads new rows on one thread.
    """
    database = memory(limits)
    database.is_scratch = True
    return database


def _make(database: Database) -> None:
    """Make the tables and views, in a transaction of its own.

    DuckDB miscounts rows that are added by the transaction that copies tables.
    """
    with database.transaction():
        if template.path():
            schema.copy(database)
        else:
            schema.make(database)


@contextmanager
def limited(
    connection: duckdb.DuckDBPyConnection, limits: Limits, beside: Path | None
) -> Generator[None]:
    """Limit a connection while inside, then remove its temporary files.

    These go to the folder that the limits name; by default next to the warehouse,
    if any, or to the system's temporary folder. Raises OSError with the name of
    the folder that the limits name if that is not writable.
    """
    threads = limits.threads or processors()
    if threads:
        connection.execute(f"set threads = {threads:d}")
    with spill_folder(limits.temporary, beside) as folder:
        # If this process has opened the file twice, the first one's folder is used.
        with suppress(duckdb.NotImplementedException):
            path = sql_text(str(folder or ""))
            connection.execute(f"set temp_directory = {path}")
        if limits.memory or limits.is_bounded:
            memory = limits.memory or min(MEMORY, _usual_memory(connection) * 3 // 4)
            connection.execute(f"set memory_limit = '{memory:d}B'")
        yield


def _usual_memory(connection: duckdb.DuckDBPyConnection) -> int:
    """Return how many bytes DuckDB takes by itself: 4/5 of what a container has."""
    # If this process has the file open, the limit is the one that it set.
    connection.execute("reset memory_limit")
    usual = "select current_setting('memory_limit')"
    [(most,)] = connection.execute(usual).fetchall()
    return memory_bytes(most)


@contextmanager
def spill_folder(chosen: Path | None, beside: Path | None) -> Generator[Path | None]:
    """Make a folder in the chosen one, or else wherever one can be made, if anywhere.

    Every process needs its own, because DuckDB gives the files of all processes
    the same names, and they would overwrite each other's.
    """
    with ExitStack() as stack:
        folder = chosen and stack.enter_context(temporary_folder(chosen))
        for parent in (beside or None, None):
            if folder is None:
                with suppress(OSError):
                    folder = stack.enter_context(temporary_folder(parent))
        yield folder


def _limit(database: Database, limits: Limits) -> None:
    """Hold a database to limits; close it if that fails."""
    with _abandoned_on_error(database):
        within = limited(database.connection, limits, database.folder)
        database.closing.enter_context(within)
    database.folder = limits.temporary or database.folder


def check_there(path: Path) -> None:
    """Raise NdcgSqlError if no file is at a path."""
    if not path.exists():
        _check_folder(path)
        remedy, where = BEGIN + " creates one", harmless_path(str(path))
        raise NdcgSqlError("no such warehouse", remedy, where=where)


def _check_folder(path: Path) -> None:
    """Raise NdcgSqlError if the folder that a file would be in is not there."""
    if not path.parent.is_dir():
        shown = harmless_path(str(path))
        check_local(path, shown)
        raise NdcgSqlError("the directory does not exist", where=shown)
