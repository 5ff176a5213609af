"""Opening a warehouse: for reading, for writing, in memory, for one command."""

from collections.abc import Callable
from pathlib import Path

from ndcg_sql.database import schema
from ndcg_sql.database.connections import (
    Settings,
    connect,
    harmless_path,
    in_memory,
    limited,
)
from ndcg_sql.database.database import Database
from ndcg_sql.errors import DiskFullError, NdcgSqlError
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages, Silent

# For how many seconds to wait for another process that holds the file.
WAIT = 10.0
USUAL = Limits()
SILENT = Silent()
# Every DuckDB file that a process has finished making has as many bytes.
_HEADERS = 3 * 4096


def read(
    path: Path,
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    settings: Settings | None = None,
) -> Database:
    """Open a warehouse for reading only; raise NdcgSqlError if that fails.

    Waits up to wait seconds for another process to let go of the file.
    settings are DuckDB's, in place of limits; they leave the schema main, with
    the public relations alone, as the one of unqualified names.
    """
    _check_there(path)
    database = hold(path, wait, messages, limits, settings)
    try:
        schema.check_readable(database)
        if settings is None:
            schema.use(database)
    except BaseException:
        database.close()
        raise
    return database


def hold(
    path: Path,
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    settings: Settings | None = None,
) -> Database:
    """Open any DuckDB file for reading only; nobody writes to it meanwhile."""
    connection = connect(path, wait, True, messages, settings)
    database = Database(connection, str(path), path.absolute().parent)
    database.is_read_only = True
    if settings is None:
        _limit(database, limits)
    return database


def write(
    path: Path,
    refill: Callable[[Database], int],
    wait: float = WAIT,
    messages: Messages = SILENT,
    limits: Limits = USUAL,
    make: bool = True,
) -> Database:
    """Open a warehouse for writing; upgrade it, or make it, where needed.

    A file without our tables gets them in the first transaction; if that fails,
    it is as it was: no file, or the same file. Without make, it is refused.
    refill computes anew what was stored from the views of another version, and
    returns of how many evaluations.
    """
    created = not path.exists()
    if not make:
        _check_there(path)
    elif created and not path.absolute().parent.is_dir():
        raise NdcgSqlError(f"{harmless_path(str(path))}: the directory does not exist")
    try:
        connection = connect(path, wait, False, messages)
    except DiskFullError:
        # DuckDB leaves the first bytes of a file for which there is no room.
        if created and path.exists() and path.stat().st_size < _HEADERS:
            path.unlink()
        raise
    database = Database(connection, str(path), path.absolute().parent)
    try:
        # Another process may have made it since; then it is not ours to remove.
        sql = "select count(*) from duckdb_tables()"
        database.is_created = created and database.execute(sql) == [(0,)]
        _limit(database, limits)
        if not make:
            schema.check_known(database)
        if schema.is_known(database):
            schema.use(database)
            if schema.is_published(database):
                # From the first change on it is more than a copy.
                database.first_step = schema.note_change
            schema.upgrade(database, messages, refill)
        else:
            database.is_new = True
            database.first_step = schema.make
    except BaseException:
        database.close()
        raise
    return database


def make(path: Path) -> None:
    """Make a warehouse without data in a new file."""
    with write(path, lambda _: 0) as database, database.transaction():
        pass


def memory(limits: Limits = USUAL) -> Database:
    """Make a warehouse that lives in memory and is gone when closed."""
    database = _in_memory(limits)
    with database.transaction():
        schema.make(database)
    return database


def scratch(limits: Limits = USUAL) -> Database:
    """Make one in memory for a single command.

    Nothing in it outlives a failure, so it needs no transactions, inside which
    DuckDB reads new rows on one thread.
    """
    database = memory(limits)
    database.is_scratch = True
    return database


def _in_memory(limits: Limits) -> Database:
    """Open an empty database in memory."""
    database = Database(in_memory(), ":memory:", None)
    _limit(database, limits)
    return database


def _limit(database: Database, limits: Limits) -> None:
    """Hold all that follows to limits; close at once where that fails."""
    try:
        within = limited(database.connection, limits, database.folder)
        database.closing.enter_context(within)
    except BaseException:
        database.close()
        raise
    database.folder = limits.temporary or database.folder


def _check_there(path: Path) -> None:
    """Raise NdcgSqlError if there is nothing at a path."""
    if not path.exists():
        raise NdcgSqlError(
            f"{harmless_path(str(path))}: there is no warehouse;"
            " ndcg-sql load judgments FILE makes one"
        )
