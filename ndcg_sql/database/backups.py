"""Copies of a whole warehouse."""

import os
from contextlib import suppress
from pathlib import Path

from ndcg_sql.database import opening, schema
from ndcg_sql.database.connections import (
    connect,
    copy_open,
    harmless_path,
    is_database,
    is_foreign,
    is_open,
    write_at_commit,
)
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.files import check_target, replaced
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, use

_MEGABYTE = 1e6


def back_up(
    path: Path,
    target: Path,
    force: bool,
    wait: float,
    messages: Messages,
    held: Database | None = None,
) -> None:
    """Copy a warehouse as it is between two writes to a file that is complete.

    Waits up to wait seconds for a process that writes; others that want to write
    wait meanwhile. held is the database if this process has it open. The file
    appears at once, or not at all. Raises NdcgSqlError where the target is anything
    but an earlier copy, which force replaces.
    """
    shown = harmless_path(str(target))
    _check_target(path, target, force, shown)
    opening.check_there(path)
    with replaced(target, shown) as new:
        if held is not None and is_open(path):
            if not held.is_read_only:
                held.execute("checkpoint")
            copy_open(path, new)
        else:
            with opening.hold(path, wait, messages) as database:
                schema.check_warehouse(database)
                copy_open(path, new)
        # A log that a kill left beside the warehouse is part of it.
        connection = connect(new, wait, False, messages)
        try:
            write_at_commit(connection, new)
        finally:
            connection.close()
        size = new.stat().st_size / _MEGABYTE
    names = f"{quoted(path.name)} to {quoted(str(target))}"
    messages.tell(f"backed up {names} ({size:.1f} MB)")


def _check_target(path: Path, target: Path, force: bool, shown: str) -> None:
    """Raise NdcgSqlError if a file must not be replaced by a copy."""
    check_target(target, shown)
    other = "name another file"
    if any(Path(f"{name}.wal").exists() for name in (target, os.path.realpath(target))):
        raise NdcgSqlError("beside it is the log of a change", other, where=shown)
    if not target.exists():
        return
    if path.exists() and target.samefile(path):
        raise NdcgSqlError("the warehouse itself", other, where=shown)
    if target.is_file() and (is_foreign(target) or not is_database(target)):
        raise NdcgSqlError("not a warehouse", other, where=shown)
    if not force:
        remedy = Text(other, ", or replace it: ", use(force=True))
        raise NdcgSqlError("already there", remedy, where=shown)
    # Another DuckDB file may have tables of its own.
    is_copy = False
    with suppress(NdcgSqlError), opening.hold(target, wait=0) as database:
        is_copy = database.run("lookups/has_records") == [(True,)]
    if not is_copy:
        what = "no copy of a warehouse, or none that can be read"
        raise NdcgSqlError(what, f"remove it, or {other}", where=shown)
