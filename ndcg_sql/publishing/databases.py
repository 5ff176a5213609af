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
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ndcg_sql.database.database import Database
from ndcg_sql.database.opening import spill_folder
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing import plan as plans
from ndcg_sql.publishing.plan import Change, Fingerprints, Plan, Target
from ndcg_sql.publishing.tables import MYSQL, PARTS, Tables, check_columns
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
    fault = ("an empty name", "omit it, or name one") if schema == "" else None
    if backend == "sqlite" and schema is not None:
        fault = "SQLite has no schemas", "name another file"
    if fault:
        raise NdcgSqlError(*fault, where=named("schema"))


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
    """Give the database to fill: for a new file of SQLite, one that becomes it.

    SQLite makes the file before anything is in it.
    """
    name = where.url.database or ""
    # A name that begins so has options of SQLite, and is taken as it is.
    is_uri = name.startswith("file:")
    path = Path(name)
    if where.url.get_backend_name() != "sqlite" or is_uri or path.exists():
        yield where
        return
    if not path.parent.is_dir():
        four = "" if path.is_absolute() else f"sqlite:////{name}"
        raise NdcgSqlError(
            f"the directory {path.parent.absolute()} does not exist",
            f"four slashes come before an absolute path: {four}" if four else "",
            where=where.shown,
        )
    with replaced(path, where.shown) as new:
        yield replace(where, url=where.url.set(database=str(new)))
        if path.exists():
            raise NdcgSqlError(
                "another program made it meanwhile", "try again", where=where.shown
            )


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

    Raises NdcgSqlError if it has other tables, or ours of another version.
    """
    tables = Tables(connection, schema, ())
    present, views = tables.present()
    place = f"{shown}: " + (f"schema {quoted(schema)}" if schema else "the database")
    if PARTS not in present:
        if present or views:
            is_file = connection.dialect.name == "sqlite"
            other = " file" if is_file else ": " + use(schema=Blank("NAME"))
            raise NdcgSqlError(
                f"{place} has tables that ndcg-sql did not publish"
                f" ({listed(sorted(present) + sorted(views), 3)})",
                "name another" + other,
            )
        return {}
    for relation in plan.relations:
        if relation.name in views:
            raise NdcgSqlError(f"{place} has a view {quoted(relation.name)}; drop it")
        if relation.name in present:
            columns = sa.inspect(connection).get_columns(relation.name, schema)
            check_columns(relation, columns, place)
    return _noted(tables, present, plan)


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
        present, _ = tables.present()
        # MySQL has no transactions for tables, and none is needed: they are empty.
        tables.make()
        wide = plan.relations[-1]
        if tables.is_mysql:
            # A statement on a table would end the transaction later.
            tables.extend(wide)
        if tables.is_postgresql:
            # Another publication ends first; readers do not wait.
            lock = f"lock table {tables.name(tables.parts)} in exclusive mode"
            connection.exec_driver_sql(lock)
        for change in plan.changes(_noted(tables, present, plan)):
            if change.relation is wide and not tables.is_mysql:
                # Readers of the table wait from here on: it is the last.
                tables.extend(wide)
            _replace(tables, database, change, folder / "rows.csv")
        for relation in plan.relations:
            if relation.name not in present:
                tables.finish(relation)
        _drop(tables, present & plan.left_out.keys())


def _noted(tables: Tables, present: set[str], plan: Plan) -> Fingerprints:
    """Return the parts that tables have, by their notes, and what is to be dropped."""
    rows = tables.connection.execute(sa.select(tables.parts))
    held = {(name, part): mark for name, part, mark in rows if name in present}
    return held | {(name, ""): "" for name in present & plan.left_out.keys()}


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


def _drop(tables: Tables, names: set[str]) -> None:
    """Drop tables that grew too large: an empty one would say that nothing is so.

    MySQL ends the transaction with the first of them, so that it comes last.
    """
    of_these = tables.parts.c.relation.in_(names)
    tables.connection.execute(sa.delete(tables.parts).where(of_these))
    for name in sorted(names):
        try:
            sa.Table(name, sa.MetaData(), schema=tables.schema).drop(tables.connection)
        except DBAPIError as error:
            reason = str(error.orig).partition("\n")[0]
            raise NdcgSqlError(
                f"{quoted(name)} has become too large to publish, and was not"
                f" dropped: {reason}",
                "drop what reads it, and publish again",
            ) from error
