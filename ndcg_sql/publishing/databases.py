"""Tables in any database that SQLAlchemy speaks, changed in one transaction."""

import warnings
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.dialects import mysql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import AddConstraint, CreateSchema

from ndcg_sql import models
from ndcg_sql.database.database import Database
from ndcg_sql.database.opening import spill_folder
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.database.schema import PARTS_COMMENT
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing import plan as plans
from ndcg_sql.publishing.plan import Change, Fingerprints, Plan, Target
from ndcg_sql.system import urls
from ndcg_sql.system.files import replaced
from ndcg_sql.system.urls import Address
from ndcg_sql.text import listed, quoted, sql_name, sql_text
from ndcg_sql.wording import Blank, named, use

SCHEMA = "ndcg_sql"
# How many seconds a publication waits for another one of MySQL.
_TURN = 600
_ROWS = "published_rows"
_ROWS_AT_ONCE = 10_000
_PIECE = 2**20
_NULL = "\\N"
# The table of what was published, which marks a schema as ours.
PARTS = "published_parts"
# Databases whose schemas are databases: the URL names the one to use. They cannot index
# texts of any length, and so have no keys and no indexes.
MYSQL = ("mysql", "mariadb")
_WITHOUT_SCHEMAS = (*MYSQL, "sqlite")
# What people filter by: some runs by some measure, or all runs for a query.
_BY_RUN = ("run", "baseline", "candidate", "measure", "query_id")
_BY_QUERY = ("query_id", "measure")


class Tables:
    """The tables of a schema in one kind of database, and how they are made."""

    def __init__(
        self, connection: Connection, schema: str | None, wanted: Iterable[Relation]
    ) -> None:
        self.connection, self.schema = connection, schema
        dialect: Any = connection.dialect
        self.is_mysql = dialect.name in MYSQL
        self.is_postgresql = dialect.name == "postgresql"
        self.is_sqlite = dialect.name == "sqlite"
        self.metadata = sa.MetaData(schema=schema)
        types = models.TYPES | _types(dialect)
        names = ("relation", "part", "fingerprint")
        noted = [sa.Column(name, types["varchar"]) for name in names]
        self.parts = sa.Table(PARTS, self.metadata, *noted, comment=PARTS_COMMENT)
        self.tables: dict[str, sa.Table] = {}
        for relation in wanted:
            has_key = self._has_key(relation)
            table = models.table_of(relation, self.metadata, types, has_key)
            # They cannot be added to a table of SQLite.
            for key in self._references(relation) if self.is_sqlite else ():
                table.append_constraint(key)
            self.tables[relation.name] = table

    def name(self, table: sa.Table) -> str:
        """Return the full name of a table, quoted where it has to be."""
        return self.connection.dialect.identifier_preparer.format_table(table)

    def present(self) -> set[str]:
        """Return the tables and the views that the schema has."""
        inspector, schema = sa.inspect(self.connection), self.schema
        if schema and schema not in inspector.get_schema_names():
            return set()
        return {*inspector.get_table_names(schema), *inspector.get_view_names(schema)}

    def make(self) -> None:
        """Make the schema and the tables that are missing."""
        if self.schema:
            self.connection.execute(CreateSchema(self.schema, if_not_exists=True))
        self.metadata.create_all(self.connection)

    def finish(self, relation: Relation) -> None:
        """Add indexes and foreign keys to a table that is filled, which is faster."""
        if self.is_mysql:
            return
        table, columns = self.tables[relation.name], relation.columns.keys()
        indexes = {} if self._has_key(relation) else {"key": relation.key}
        # A run alone has few rows there; rows per document are found by the run.
        if {"query_id", "measure"} & columns and {"run", "baseline"} & columns:
            indexes["by_run"] = tuple(name for name in _BY_RUN if name in columns)
        if "query_id" in columns and not {"run", "doc_id"} <= columns:
            indexes["by_query"] = tuple(name for name in _BY_QUERY if name in columns)
        for name, keys in indexes.items():
            index = sa.Index(f"{table.name}_{name}", *(table.c[key] for key in keys))
            index.create(self.connection)
        for key in () if self.is_sqlite else self._references(relation):
            table.append_constraint(key)
            self.connection.execute(AddConstraint(key))

    def _has_key(self, relation: Relation) -> bool:
        return not relation.nullable and not self.is_mysql

    def _references(self, relation: Relation) -> list[sa.ForeignKeyConstraint]:
        prefix = f"{self.schema}." if self.schema else ""
        return [
            sa.ForeignKeyConstraint(
                columns,
                [f"{prefix}{parent}.{name}" for name in relations()[parent].key],
                name=f"{relation.name}_{columns[-1]}",
                # Parents are replaced before and after their children.
                deferrable=True,
                initially="DEFERRED",
            )
            for columns, parent in relation.references
            # PostgreSQL looks up each new row, and for each query what refers to it.
            if not self.is_postgresql
            or ("doc_id" not in relation.columns and parent != "queries")
        ]


def _types(dialect: Any) -> dict[str, Any]:
    """Return the types that a kind of database has other ones for."""
    if dialect.name == "postgresql":
        return {"varchar": sa.Text(collation="C")}
    if dialect.name not in MYSQL:
        return {}
    collation = "utf8mb4_nopad_bin" if dialect.is_mariadb else "utf8mb4_0900_bin"
    return {
        "varchar": mysql.LONGTEXT(charset="utf8mb4", collation=collation),
        "timestamp": mysql.DATETIME(fsp=6),
    }


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
    """Reach a database, and give what it holds of a plan; no refusal has a password."""
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
    """Return what a schema holds of a plan; refuse others' tables."""
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
    """Make the tables of a schema what the plan says, filled in place: grants stay."""
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
            _replace(tables, database, plan, change, folder / "rows.csv")
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


def _replace(
    tables: Tables, database: Database, plan: Plan, change: Change, path: Path
) -> None:
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
        for rows in plan.selects(relation, new):
            append(tables, database, relation, rows, path)
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
