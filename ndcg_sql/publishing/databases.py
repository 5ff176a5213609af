"""Tables in any database that SQLAlchemy speaks, changed in one transaction."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ndcg_sql.database.database import Database
from ndcg_sql.database.opening import spill_folder
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing import plan as plans
from ndcg_sql.publishing.plan import Change, Fingerprints, Plan, Target
from ndcg_sql.publishing.tables import MYSQL, PARTS, Tables
from ndcg_sql.system import urls
from ndcg_sql.system.output_files import replaced
from ndcg_sql.system.urls import Address
from ndcg_sql.text import listed, quoted, sql_name, sql_text
from ndcg_sql.wording import Blank, named, use

SCHEMA = "ndcg_sql"
_WITHOUT_SCHEMAS = (*MYSQL, "sqlite")
# How many seconds a publication waits for another one of MySQL.
_TURN = 600
_ROWS = "published_rows"
_ROWS_AT_ONCE = 10_000
_PIECE = 2**20
_NULL = "\\N"


def check(where: Address, schema: str | None) -> None:
    """Raise NdcgSqlError if a URL or a schema cannot be published to."""
    backend = where.url.get_backend_name()
    if backend == "duckdb":
        raise NdcgSqlError("duckdb://…: name the file itself: FILE.duckdb")
    if backend == "sqlite" and where.url.database in (None, "", ":memory:"):
        raise NdcgSqlError(f"{where.shown}: no file; name one: sqlite:///marts.db")
    if schema == "":
        raise NdcgSqlError("an empty name", where=named("schema"))
    if backend == "sqlite" and schema is not None:
        raise NdcgSqlError("SQLite has no schemas", where=named("schema"))


@contextmanager
def opened(
    where: Address, schema: str | None, plan: Plan, patience: float
) -> Generator[Target]:
    """Reach a database, and give what it holds of a plan.

    Raises NdcgSqlError, without the password, if it does not answer within patience,
    if anything fails inside, or if the schema has tables of others.
    """
    with _new_file(where) as target:
        with warnings.catch_warnings():
            # A driver's warnings are for programmers.
            warnings.simplefilter("ignore")
            engine = urls.engine(target, read_only=False)
        if schema is None and engine.dialect.name not in _WITHOUT_SCHEMAS:
            schema = SCHEMA
        try:
            with urls.answered(engine.connect, target, patience) as connection:
                held = _held(connection, schema, plan, where.shown)
            yield held, partial(_write, engine, schema)
        except Exception as error:
            # COPY is the driver's own, and so are its errors.
            driver: Any = engine.dialect.loaded_dbapi
            if isinstance(error, (SQLAlchemyError, driver.Error)):
                raise target.failed(error) from None
            raise
        finally:
            engine.dispose()


@contextmanager
def _new_file(where: Address) -> Generator[Address]:
    """Give the database to fill: for a new file of SQLite, one that becomes it."""
    name = where.url.database or ""
    is_file = where.url.get_backend_name() == "sqlite" and name[:5] != "file:"
    if not is_file or Path(name).exists():
        yield where
        return
    with replaced(Path(name), where.shown) as new:
        yield replace(where, url=where.url.set(database=str(new)))
        # Another publication may have been faster.
        if Path(name).exists():
            what = "another program made it meanwhile"
            raise NdcgSqlError(what, "try again", where=where.shown)


@contextmanager
def _begun(engine: Engine) -> Generator[Connection]:
    """Begin a transaction, after those of other publications where it has to be."""
    with engine.connect() as connection:
        dialect = connection.dialect.name
        if dialect == "sqlite":
            # The driver begins none before statements that define tables.
            connection.connection.dbapi_connection.isolation_level = None  # pyright: ignore[reportOptionalMemberAccess]
            connection.exec_driver_sql("begin immediate")
        try:
            if dialect == "postgresql":
                connection.exec_driver_sql("set local client_encoding = 'UTF8'")
            lock = f"select get_lock('ndcg_sql publish', {_TURN})"
            if dialect in MYSQL and connection.exec_driver_sql(lock).scalar() != 1:
                raise NdcgSqlError(f"another publication takes over {_TURN} seconds")
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):
                connection.rollback()
            raise


def _held(
    connection: Connection, schema: str | None, plan: Plan, shown: str
) -> Fingerprints:
    """Return what a schema holds of a plan: nothing if it is empty or new.

    Raises NdcgSqlError if only others have tables there.
    """
    tables = Tables(connection, schema, ())
    present = tables.present()
    if PARTS in present:
        return _noted(tables, present, plan)
    if present:
        place = f"schema {quoted(schema)}" if schema else "the database"
        is_file = connection.dialect.name == "sqlite"
        raise NdcgSqlError(
            f"{shown}: {place} has tables that ndcg-sql did not publish"
            f" ({listed(sorted(present), 3)})",
            "name another" + (" file" if is_file else ": " + use(schema=Blank("NAME"))),
        )
    return {}


def _noted(tables: Tables, present: set[str], plan: Plan) -> Fingerprints:
    """Return the parts that tables have, by their notes, and what is to be dropped."""
    rows = tables.connection.execute(sa.select(tables.parts))
    held = {(name, part): mark for name, part, mark in rows if name in present}
    return held | {(name, ""): "" for name in present & plan.left_out.keys()}


def _write(engine: Engine, schema: str | None, database: Database, plan: Plan) -> None:
    """Make the tables of a schema what the plan says, in one transaction.

    Tables are filled in place, so that grants and views on them survive.
    """
    with spill_folder(None, database.folder) as folder, _begun(engine) as connection:
        if folder is None:
            missing = "no folder for temporary files"
            raise NdcgSqlError(missing, use(temporary=Blank("DIR")))
        tables = Tables(connection, schema, plan.relations)
        # A table that someone dropped is filled again.
        present = tables.present()
        # MySQL has no transactions for tables, and none is needed: they are empty.
        tables.make()
        if tables.is_postgresql:
            # Another publication ends first; readers do not wait.
            lock = f"lock table {tables.name(tables.parts)} in exclusive mode"
            connection.exec_driver_sql(lock)
        for change in plan.changes(_noted(tables, present, plan)):
            _replace(tables, database, change, folder / "rows.csv")
        for relation in plan.relations:
            if relation.name not in present:
                tables.finish(relation)
        # An empty table would say that nothing is so. MySQL ends the transaction with
        # the first that is dropped.
        large = sorted(present & plan.left_out.keys())
        notes = tables.parts
        connection.execute(sa.delete(notes).where(notes.c.relation.in_(large)))
        for name in large:
            sa.Table(name, sa.MetaData(), schema=schema).drop(connection)


def _replace(tables: Tables, database: Database, change: Change, path: Path) -> None:
    """Replace the rows of a table that are old, and note what it has."""
    relation, kept, old, new = change
    table, notes = tables.tables[relation.name], tables.parts
    old_rows = sa.delete(table)
    old_notes = sa.delete(notes).where(notes.c.relation == relation.name)
    if kept:
        column: sa.ColumnElement[Any] = sa.literal_column(plans.part_column(relation))
        old_rows = old_rows.where(column.in_(plans.values(relation, old)))
        old_notes = old_notes.where(notes.c.part.in_(old))
    if old or not kept:
        tables.connection.execute(old_rows)
        tables.connection.execute(old_notes)
    if new:
        append(tables, database, relation, plans.select(relation, new), path)
        keys = [column.name for column in notes.columns]
        noted = [{key: getattr(part, key) for key in keys} for part in new]
        tables.connection.execute(sa.insert(notes), noted)


def append(
    tables: Tables, database: Database, relation: Relation, rows: str, path: Path
) -> None:
    """Append the rows of a select to the table of a relation."""
    connection = tables.connection
    if connection.dialect.driver == "psycopg":
        texts = [name for name, kind in relation.columns.items() if kind == "varchar"]
        quote = ", ".join(map(sql_name, texts))
        options = f"format csv, header false, nullstr {sql_text(_NULL)}"
        database.execute(
            f"copy ({rows}) to {sql_text(str(path))} ({options}, force_quote ({quote}))"
        )
        _copy(tables, relation, path)
        return
    # DuckDB may not end if it is closed while rows of a result are left.
    with database.temporary(_ROWS, rows):
        [(count,)] = database.execute(f"select count(*) from {_ROWS}")
        for first in range(0, count, _ROWS_AT_ONCE):
            last = first + _ROWS_AT_ONCE - 1
            records = database.records(
                f"from {_ROWS} where rowid between {first} and {last} order by rowid"
            )
            connection.execute(sa.insert(tables.tables[relation.name]), records)


def _copy(tables: Tables, relation: Relation, path: Path) -> None:
    """Copy a file of CSV into a table of PostgreSQL."""
    driver: Any = tables.connection.connection.dbapi_connection
    columns = ", ".join(map(sql_name, relation.columns))
    table = f"{sql_name(tables.schema or SCHEMA)}.{sql_name(relation.name)}"
    statement = f"copy {table} ({columns}) from stdin (format csv, null '{_NULL}')"
    with (
        path.open("rb") as rows,
        driver.cursor() as cursor,
        cursor.copy(statement) as copied,
    ):
        while piece := rows.read(_PIECE):
            copied.write(piece)
