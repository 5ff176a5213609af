"""A snapshot for readers, who never have to wait: one file, replaced as a whole."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from ndcg_sql.database import opening, schema
from ndcg_sql.database.connections import (
    harmless_path,
    is_disk_full,
    is_foreign,
    translated,
)
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.output_files import replaced
from ndcg_sql.text import sql_name, sql_text


def publish(database: Database, target: Path, wait: float, messages: Messages) -> None:
    """Write the content of a warehouse to a compact file that replaces the target.

    Readers who have the old file open can go on reading it; who opens the target
    finds the complete old or new file. Raises NdcgSqlError, and leaves the target
    unchanged, if it is the warehouse itself or anything else that was not
    published, or if another process writes to it for longer than wait seconds.
    """
    shown = harmless_path(str(target))
    if target.exists() and target.samefile(database.path):
        raise NdcgSqlError(f"{shown}: the warehouse itself; name another file")
    if target.exists() and not target.is_file():
        raise NdcgSqlError(f"{shown}: not a regular file; name another")
    with _kept_from_writers(target, wait, messages), replaced(target, shown) as new:
        try:
            _copy(database, new)
        except duckdb.Error as error:
            raise _translated(error, target) from error


@contextmanager
def _kept_from_writers(
    target: Path, wait: float, messages: Messages
) -> Generator[None]:
    """Hold the old target open for reading, so that nobody can write to it.

    A writer would leave a log next to it, which readers of the new file would
    apply. Raises NdcgSqlError if there is a log, or if the target is foreign.
    """
    if not target.exists():
        _check_log(target)
        yield
        return
    foreign = NdcgSqlError(
        f"{harmless_path(str(target))}: exists and is not a published copy, or was"
        " changed since; name another file, or remove it"
    )
    if target.stat().st_size == 0 or is_foreign(target):
        raise foreign
    with opening.hold(target, wait, messages) as old:
        if not schema.is_published(old):
            raise foreign
        _check_log(target)
        yield


def _check_log(target: Path) -> None:
    """Raise NdcgSqlError if a writer left a log next to a target."""
    for path in (target, Path(os.path.realpath(target))):
        log = path.with_name(path.name + ".wal")
        if log.exists():
            raise NdcgSqlError(
                f"{harmless_path(str(log))}: the log of a change to the published"
                " file; name another target, or remove both files"
            )


def _copy(database: Database, new: Path) -> None:
    """Copy tables, views and comments to a new database file, and close it."""
    own = database.execute("select current_database()")[0][0]
    # No other attached database can have this name: it is longer than our own.
    published = sql_name(f"{own} published")
    database.execute(
        f"attach {sql_text(str(new))} as {published}"
        " (read_write, storage_version 'v1.0.0')"
    )
    try:
        database.execute(f"copy from database {sql_name(own)} to {published}")
        schema.note_published(database, published)
        database.execute(f"checkpoint {published}")
    finally:
        with suppress(duckdb.Error):
            database.execute(f"detach {published}")


def _translated(error: duckdb.Error, target: Path) -> Exception:
    """Return an error of copying as our own; one that is not known here as it is."""
    if is_disk_full(error):
        return translated(error, str(target))
    if isinstance(error, (duckdb.ConstraintException, duckdb.BinderException)):
        return NdcgSqlError(
            f"{harmless_path(str(target))}: DuckDB cannot copy a table that ndcg-sql"
            f" did not make: {str(error).splitlines()[0]}"
        )
    return error
