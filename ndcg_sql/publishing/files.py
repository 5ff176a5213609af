"""A published DuckDB file, replaced as a whole."""

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import duckdb

from ndcg_sql.database import opening, schema, views
from ndcg_sql.database.connections import copy_open, harmless_path, is_foreign
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.database.relations import relations
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing.plan import Fingerprints, Plan, Target, condition
from ndcg_sql.system.files import replaced
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, sql_name, sql_text

# No file, and so no database of DuckDB, can have this name.
_NEW = sql_name("ndcg-sql/new")
_TABLES = (
    "select table_name from duckdb_tables() union all select view_name"
    " from duckdb_views() where not internal"
)


@contextmanager
def opened(
    path: Path, warehouse: Path, wait: float, messages: Messages
) -> Generator[Target]:
    """Hold a published file open for reading, so that nobody writes to it.

    A writer would leave a log next to it, which readers of the new file would apply.
    """
    shown = harmless_path(str(path))
    if not path.exists():
        _check_log(path)
        yield {}, partial(_write, path, {})
        return
    if path.samefile(warehouse):
        raise NdcgSqlError(f"{shown}: the warehouse itself; name another file")
    if not path.is_file():
        raise NdcgSqlError(f"{shown}: not a regular file; name another")
    foreign = NdcgSqlError(
        f"{shown}: exists and is not a published copy; name another file, or remove it"
    )
    if path.stat().st_size == 0 or is_foreign(path):
        raise foreign
    with opening.hold(path, wait, messages) as old:
        if not schema.is_published(old):
            raise foreign
        _check_log(path)
        table = f"{sql_name(old.catalog)}.{schema.PUBLISHED}.parts"
        # What others changed may be wrong, and is computed again.
        parts = old.execute(
            f"select relation, part, fingerprint from {table}"
            " where epoch_us(published_at) = $changed_at",
            {"changed_at": path.stat().st_mtime_ns // 1000},
        )
        held = {(name, part): mark for name, part, mark in parts}
        added = {name for (name,) in old.execute(_TABLES)} - {"parts", *relations()}
        if added and not held:
            raise NdcgSqlError(
                f"{shown}: has tables that ndcg-sql did not publish"
                f" ({listed(sorted(added), 3)}); name another file, or drop them"
            )
        yield held, partial(_write, path, held)


def _check_log(path: Path) -> None:
    for file in (path, Path(os.path.realpath(path))):
        log = file.with_name(file.name + ".wal")
        if log.exists():
            raise NdcgSqlError(
                f"{harmless_path(str(log))}: the log of a change to the published"
                " file; name another target, or remove both files"
            )


def _write(path: Path, held: Fingerprints, database: Database, plan: Plan) -> None:
    """Replace a file by a copy in which only what changed is new; readers go on."""
    moment = time.time_ns() // 1000
    with replaced(path, harmless_path(str(path))) as new:
        if plan.fingerprints.items() & held.items():
            copy_open(path, new)
        with _attached(database, new), database.transaction():
            # A commit for each statement would wait for the disk as many times.
            _change(database, plan, held, moment)
        # Whoever changes the file changes its time, too.
        os.utime(new, ns=(moment * 1000, moment * 1000))


@contextmanager
def _attached(database: Database, path: Path) -> Generator[None]:
    options = "read_write, storage_version 'v1.0.0'"
    database.execute(f"attach {sql_text(str(path))} as {_NEW} ({options})")
    try:
        yield
        database.execute(f"checkpoint {_NEW}")
    finally:
        with suppress(duckdb.Error):
            database.execute(f"detach {_NEW}")


def _change(database: Database, plan: Plan, held: Fingerprints, moment: int) -> None:
    """Make the attached file what the plan says; moment is in microseconds."""
    main = f"{_NEW}.{views.PUBLIC}"
    for relation, kept, old, new in plan.changes(held):
        table = f"{main}.{relation.name}"
        if not kept:
            types = relation.columns.items()
            columns = ", ".join(f"{sql_name(name)} {kind}" for name, kind in types)
            database.execute(f"create or replace table {table} ({columns})")
            schema.describe(database, _NEW, [relation])
        elif old:
            database.execute(f"delete from {table} where {condition(relation, old)}")
        for rows in plan.selects(relation, new) if new else ():
            database.execute(f"insert into {table} {rows}")
    for name in plan.left_out:
        database.execute(f"drop table if exists {main}.{name}")
    schema.note_published(database, _NEW)
    noted = {
        "rows": [part._asdict() for part in plan.parts],
        "warehouse": plan.warehouse.name,
        "moment": moment,
    }
    database.execute(
        f"insert into {_NEW}.{schema.PUBLISHED}.parts select relation, part,"
        f" fingerprint, $warehouse, make_timestamp($moment) from ({ROWS})",
        noted,
    )
