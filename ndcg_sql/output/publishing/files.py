"""A published DuckDB file, replaced as a whole."""

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path

import duckdb

from ndcg_sql.database import opening, schema, views
from ndcg_sql.database.connections import (
    harmless_path,
    is_disk_full,
    is_foreign,
    translated,
)
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.publishing import attributes, parts
from ndcg_sql.output.publishing.parts import Compared, Fingerprints, Plan
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.output_files import replaced
from ndcg_sql.text import listed, sql_name, sql_text

# No file, and so no database of DuckDB, can have one of these names.
_NEW = sql_name("ndcg-sql/new")
_OLD = sql_name("ndcg-sql/old")
_TABLES = (
    "select table_name from duckdb_tables() union all select view_name"
    " from duckdb_views() where not internal"
)
# In nanoseconds.
_MICROSECOND = 1000


def publish(
    opened: Callable[[bool], Database],
    target: Path,
    compared: Compared,
    wait: float,
    messages: Messages,
) -> Plan | None:
    """Write the public relations to a file that replaces the target.

    Returns what was published, or None if the target has all of it already.
    Readers who have the old file open can go on reading it; who opens the target
    finds the complete old or new file. Raises NdcgSqlError, and leaves the target
    unchanged, if it is the warehouse itself or anything else that was not
    published, or if another process writes to it for longer than wait seconds.
    """
    shown = harmless_path(str(target))
    with opened(False) as database:
        if target.exists() and target.samefile(database.path):
            raise NdcgSqlError(f"{shown}: the warehouse itself; name another file")
        if target.exists() and not target.is_file():
            raise NdcgSqlError(f"{shown}: not a regular file; name another")
        present = parts.plan(database, compared)
    with _kept_from_writers(target, wait, messages) as fingerprints:
        if fingerprints == present.fingerprints:
            return None
        moment = time.time_ns() // _MICROSECOND
        with replaced(target, shown) as new, opened(True) as database:
            try:
                old = target if fingerprints else None
                plan = _copy(database, new, old, compared, moment)
            except duckdb.Error as error:
                if is_disk_full(error):
                    raise translated(error, str(target)) from error
                raise
            # Whoever changes the file changes its time, too.
            time_ns = moment * _MICROSECOND
            os.utime(new, ns=(time_ns, time_ns))
            return plan


@contextmanager
def _kept_from_writers(
    target: Path, wait: float, messages: Messages
) -> Generator[Fingerprints]:
    """Hold the old target open for reading, and give the parts that it has.

    A writer would leave a log next to it, which readers of the new file would
    apply. Raises NdcgSqlError if there is a log, or if the target is foreign.
    """
    if not target.exists():
        _check_log(target)
        yield {}
        return
    foreign = NdcgSqlError(
        f"{harmless_path(str(target))}: exists and is not a published copy;"
        " name another file, or remove it"
    )
    if target.stat().st_size == 0 or is_foreign(target):
        raise foreign
    with opening.hold(target, wait, messages) as old:
        if not schema.is_published(old):
            raise foreign
        _check_log(target)
        changed_at = target.stat().st_mtime_ns // _MICROSECOND
        table = _parts(sql_name(old.catalog()))
        at = f"select epoch_us(max(published_at)) from {table}"
        if old.execute(at) == [(changed_at,)]:
            yield _fingerprints(old, table)
            return
        # What others added is theirs; values that may be wrong are computed again.
        ours = {"parts", *attributes.publishable()}
        added = {name for (name,) in old.execute(_TABLES)} - ours
        if added:
            raise NdcgSqlError(
                f"{harmless_path(str(target))}: has tables that ndcg-sql did not"
                f" publish ({listed(sorted(added), 3)}); name another file, or drop"
                " them"
            )
        yield {}


def _parts(catalog: str) -> str:
    return f"{catalog}.{schema.PUBLISHED}.parts"


def _fingerprints(database: Database, table: str) -> Fingerprints:
    rows = database.execute(f"select relation, part, fingerprint from {table}")
    return {(relation, part): fingerprint for relation, part, fingerprint in rows}


def _check_log(target: Path) -> None:
    for path in (target, Path(os.path.realpath(target))):
        log = path.with_name(path.name + ".wal")
        if log.exists():
            raise NdcgSqlError(
                f"{harmless_path(str(log))}: the log of a change to the published"
                " file; name another target, or remove both files"
            )


def _copy(
    database: Database, new: Path, old: Path | None, compared: Compared, moment: int
) -> Plan:
    """Fill a new file; rows that did not change come from the old one.

    moment is when it is published, in microseconds since 1970.
    """
    plan = parts.plan(database, compared)
    database.execute(
        f"attach {sql_text(str(new))} as {_NEW} (read_write, storage_version 'v1.0.0')"
    )
    try:
        fingerprints: Fingerprints = {}
        if old:
            database.execute(f"attach {sql_text(str(old))} as {_OLD} (read_only)")
            fingerprints = _fingerprints(database, _parts(_OLD))
        for relation in plan.relations():
            _fill(database, relation, plan, fingerprints)
        schema.describe(database, _NEW, plan.relations())
        schema.note_published(database, _NEW)
        table = _parts(_NEW)
        noted = {"warehouse": Path(database.path).name, "moment": moment}
        for (name, part), fingerprint in plan.fingerprints.items():
            row = {"relation": name, "part": part, "fingerprint": fingerprint}
            database.execute(
                f"insert into {table} values ($relation, $part, $fingerprint,"
                " $warehouse, make_timestamp($moment))",
                {**row, **noted},
            )
        database.execute(f"checkpoint {_NEW}")
    finally:
        for attached in (_NEW, _OLD):
            with suppress(duckdb.Error):
                database.execute(f"detach database if exists {attached}")
    return plan


def _fill(
    database: Database, relation: Relation, plan: Plan, fingerprints: Fingerprints
) -> None:
    table = f"{_NEW}.{views.PUBLIC}.{relation.name}"
    columns = ", ".join(
        f"{sql_name(name)} {kind}" for name, kind in relation.columns.items()
    )
    database.execute(f"create table {table} ({columns})")
    old = f"{_OLD}.{views.PUBLIC}.{relation.name}"
    for is_same, group in groupby(
        plan.of(relation), lambda part: fingerprints.get(part.key) == part.fingerprint
    ):
        if is_same:
            which = parts.condition(relation, group)
            database.execute(f"insert into {table} select * from {old} where {which}")
            continue
        for select in parts.selects(database, plan, relation, [*group]):
            database.execute(f"insert into {table} {select}")
