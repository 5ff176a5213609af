"""Tables in any database that SQLAlchemy speaks, changed in one transaction."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from ndcg_sql.database.connections import is_disk_full, spill_folder, translated
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.database.schema import PARTS_COMMENT
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.publishing import parts
from ndcg_sql.output.publishing.parts import NEWER, Compared, Known, Part, Plan
from ndcg_sql.system import urls
from ndcg_sql.system.output_files import replaced
from ndcg_sql.system.urls import Address
from ndcg_sql.text import listed, quoted, sql_name, sql_text
from ndcg_sql.wording import Blank, named, use

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Table

SCHEMA = "ndcg_sql"
# The table of what was published, which marks a schema as ours.
_PARTS = "published_parts"
# What dashboards filter by, where a relation has it.
_FILTERS = ("dataset", "run", "baseline", "candidate", "measure")
# Databases whose schemas are databases: the URL names the one to use.
_MYSQL = ("mysql", "mariadb")
_WITHOUT_SCHEMAS = (*_MYSQL, "sqlite")
# How many seconds a publication waits for another one of MySQL.
_TURN = 600
_ROWS = "published_rows"
_ROWS_AT_ONCE = 10_000
_PIECE = 2**20
# How many characters of a long text MySQL indexes.
_INDEXED = 100
_NULL = "\\N"


def publish(
    opened: Callable[[bool], Database],
    where: Address,
    schema: str | None,
    compared: Compared,
    patience: float = urls.PATIENCE,
) -> Plan | None:
    """Publish the public relations to a database.

    Returns what was published, or None if the database has all of it already.
    Tables are filled in place, so that grants and views on them survive. Raises
    NdcgSqlError, without the password, if that fails or the database does not
    answer within patience; it is then as it was.
    """
    _check(where, schema)
    with opened(False) as database:
        present = parts.plan(database, compared)
    with _new_file(where) as target, _reached(target, patience) as engine:
        if _known(engine, where, schema) == present.known:
            return None
        with opened(True) as database, spill_folder(None, database.folder) as folder:
            if folder is None:
                raise NdcgSqlError(
                    "no folder for temporary files", use(temporary=Blank("DIR"))
                )
            plan = parts.plan(database, compared)
            try:
                with _begun(engine) as connection:
                    _Target(connection, schema).fill(database, plan, folder)
            except duckdb.Error as error:
                if is_disk_full(error):
                    raise translated(error, str(folder)) from error
                raise
        return plan


def _check(where: Address, schema: str | None) -> None:
    """Raise NdcgSqlError if a database is none to publish to."""
    backend = where.url.get_backend_name()
    if backend == "duckdb":
        raise NdcgSqlError("duckdb://…: name the file itself: FILE.duckdb")
    if backend == "sqlite" and where.url.database in (None, "", ":memory:"):
        raise NdcgSqlError(f"{where.shown}: no file; name one: sqlite:///marts.db")
    if backend == "sqlite" and schema is not None:
        raise NdcgSqlError(
            "SQLite has no schemas", "name another file", where=named("schema")
        )
    if schema == "":
        raise NdcgSqlError(
            "an empty name", "omit it, or name one", where=named("schema")
        )


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
    with replaced(path, where.shown) as new:
        yield replace(where, url=where.url.set(database=str(new)))
        if path.exists():
            raise NdcgSqlError(
                "another program made it meanwhile",
                "try again",
                where=where.shown,
            )


@contextmanager
def _reached(where: Address, patience: float) -> Generator[Engine]:
    """Make an engine whose database answers; its errors become messages."""
    from sqlalchemy.exc import SQLAlchemyError

    with warnings.catch_warnings():
        # A driver's warnings are for programmers.
        warnings.simplefilter("ignore")
        engine = urls.engine(where, read_only=False)
    try:
        urls.answered(engine.connect, where, patience).close()
        yield engine
    except Exception as error:
        # COPY is the driver's own, and so are its errors.
        driver: Any = engine.dialect.loaded_dbapi
        if isinstance(error, (SQLAlchemyError, driver.Error)):
            raise where.failed(error) from None
        raise
    finally:
        engine.dispose()


@contextmanager
def _begun(engine: Engine) -> Generator[Connection]:
    """Begin a transaction, and commit it unless something fails."""
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # The driver begins none before statements that define tables.
            connection.connection.dbapi_connection.isolation_level = None  # type: ignore[union-attr]
            connection.exec_driver_sql("begin immediate")
        try:
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):
                connection.rollback()
            raise


def _known(engine: Engine, where: Address, schema: str | None) -> Known:
    """Return the parts that a database has; none if nothing was published there."""
    with engine.connect() as connection:
        target = _Target(connection, schema)
        return target.known(target.tables()) if target.is_ours(where) else {}


class _Target:
    """The tables of a schema, seen by one connection."""

    def __init__(self, connection: Connection, schema: str | None) -> None:
        from sqlalchemy import Column, MetaData, Table, Text

        self.connection = connection
        self.dialect = connection.dialect.name
        plain = self.dialect in _WITHOUT_SCHEMAS
        self.schema = schema or (None if plain else SCHEMA)
        self.metadata = MetaData(schema=self.schema)
        self.types = self._types()
        for relation in relations().values():
            self._add(relation)
        text = self.types.get(Text, Text)
        self.parts = Table(
            _PARTS,
            self.metadata,
            *(Column(name, text) for name in ("relation", "part", "fingerprint")),
            comment=PARTS_COMMENT,
        )

    def _types(self) -> dict[type, Any]:
        """Return the types that differ in this database from those of the models.

        Ids are compared by their bytes, without padding; times have microseconds.
        """
        from sqlalchemy import DateTime, Text
        from sqlalchemy.dialects import mysql

        if self.dialect == "postgresql":
            return {Text: Text(collation="C")}
        if self.dialect not in _MYSQL:
            return {}
        dialect: Any = self.connection.dialect
        collation = "utf8mb4_nopad_bin" if dialect.is_mariadb else "utf8mb4_0900_bin"
        return {
            Text: mysql.LONGTEXT(charset="utf8mb4", collation=collation),
            DateTime: mysql.DATETIME(fsp=6),
        }

    def _add(self, relation: Relation) -> None:
        """Add the table of a relation, as this database can have it."""
        from sqlalchemy import Column, PrimaryKeyConstraint, String, Table

        from ndcg_sql import models

        model = models.metadata.tables[relation.name]
        columns: list[Any] = []
        described: Iterable[Any] = model.columns
        for column in described:
            kind = self.types.get(type(column.type), column.type)
            is_key = column.name in relation.key
            columns.append(
                Column(
                    column.name,
                    kind,
                    nullable=not is_key or column.name in relation.nullable,
                    autoincrement=False,
                    comment=column.comment,
                )
            )
        table = Table(relation.name, self.metadata, *columns, comment=model.comment)
        key = [table.c[name] for name in relation.key]
        # In MySQL, texts of any length can be indexed only in part.
        is_mysql = self.dialect in _MYSQL
        long = {column.name for column in columns if isinstance(column.type, String)}
        filters = [name for name in _FILTERS if name in table.c]
        if relation.nullable or (is_mysql and long & set(relation.key)):
            # A key has no nulls.
            self._index(table, "key", relation.key, long)
        else:
            table.append_constraint(PrimaryKeyConstraint(*key))
        if "measure" in filters and len(filters) > 2:
            self._index(table, "filters", filters, long)

    def _index(
        self, table: Table, what: str, names: Iterable[str], long: set[str]
    ) -> None:
        """Add an index to a table."""
        from sqlalchemy import Index

        columns = [table.c[name] for name in names]
        lengths = {name: _INDEXED for name in names if name in long}
        Index(
            f"{table.name}_{what}",
            *columns,
            mysql_length=lengths,
            mariadb_length=lengths,
        )

    def is_ours(self, where: Address) -> bool:
        """Return whether a schema was published to; False if it is empty or new.

        Raises NdcgSqlError if it has other tables, or if its tables are those of
        another version.
        """
        from sqlalchemy import inspect

        inspector = inspect(self.connection)
        place = f"schema {quoted(self.schema)}" if self.schema else "the database"
        if self.schema and self.schema not in inspector.get_schema_names():
            return False
        there = inspector.get_table_names(schema=self.schema)
        views = inspector.get_view_names(schema=self.schema)
        if _PARTS not in there:
            if there or views:
                is_file = self.dialect == "sqlite"
                other = " file" if is_file else ": " + use(schema=Blank("NAME"))
                raise NdcgSqlError(
                    f"{where.shown}: {place} has tables that ndcg-sql did not publish"
                    f" ({listed([*there, *views], 3)})",
                    "name another" + other,
                )
            return False
        for relation in relations().values():
            if relation.name in views:
                raise NdcgSqlError(
                    f"{where.shown}: {place} has a view {quoted(relation.name)};"
                    " drop it"
                )
            if relation.name in there:
                columns = inspector.get_columns(relation.name, schema=self.schema)
                if [column["name"] for column in columns] != list(relation.columns):
                    raise NdcgSqlError(
                        f"{where.shown}: {quoted(relation.name)} in {place} was"
                        " published by another version of ndcg-sql; drop it and"
                        " publish again"
                    )
        return True

    def tables(self) -> set[str]:
        """Return the names of the tables in the schema."""
        from sqlalchemy import inspect

        inspector = inspect(self.connection)
        if self.schema and self.schema not in inspector.get_schema_names():
            return set()
        return set(inspector.get_table_names(schema=self.schema))

    def known(self, tables: set[str]) -> Known:
        """Return the parts that some tables have."""
        from sqlalchemy import select

        rows = self.connection.execute(select(self.parts))
        return {
            (relation, part): fingerprint
            for relation, part, fingerprint in rows
            if relation in tables
        }

    def fill(self, database: Database, plan: Plan, folder: Path) -> None:
        """Make the tables that are missing, and replace the parts that changed."""
        from sqlalchemy.schema import CreateSchema

        self._begin()
        # A table that someone dropped is filled again.
        there = self.tables()
        if self.schema:
            # MySQL has no transactions for tables, and none is needed: they are empty.
            self.connection.execute(CreateSchema(self.schema, if_not_exists=True))
        self.metadata.create_all(self.connection)
        if self.dialect == "postgresql":
            # Another publication ends first; readers do not wait.
            name = f"{sql_name(self.schema or '')}.{_PARTS}".replace("%", "%%")
            self.connection.exec_driver_sql(f"lock table {name} in exclusive mode")
        known = self.known(there)
        for relation in relations().values():
            present = {part.key for part in plan.of(relation)}
            changed = [part for part in plan.changed(known) if part.key in present]
            gone = [
                Part(*key, "", "", 0)
                for key in known
                if key[0] == relation.name and key not in present
            ]
            # Also what is there without being noted, whoever left it.
            self._delete(relation, [*gone, *changed])
            for _, selects in parts.selects(database, plan, relation, changed):
                for select in selects:
                    self._append(database, relation, select, folder)
            self._note(relation, gone, changed)

    def _begin(self) -> None:
        """Prepare the connection: one publication at a time, and text as UTF-8."""
        if self.dialect == "postgresql":
            self.connection.exec_driver_sql("set local client_encoding = 'UTF8'")
        if self.dialect in _MYSQL:
            sql = f"select get_lock('ndcg_sql publish', {_TURN})"
            if self.connection.exec_driver_sql(sql).scalar() != 1:
                raise NdcgSqlError(f"another publication takes over {_TURN} seconds")

    def _delete(self, relation: Relation, old: list[Part]) -> None:
        """Delete the rows of some parts."""
        from sqlalchemy import delete

        if not old:
            return
        table = self._table(relation)
        statement = delete(table)
        if relation.part_column:
            values = parts.values(relation, old)
            statement = statement.where(self._part_of(table, relation).in_(values))
        self.connection.execute(statement)

    def _part_of(self, table: Table, relation: Relation) -> Any:
        """Return what tells the parts of a table apart."""
        from sqlalchemy import case

        if relation.part_column != NEWER:
            return table.c[relation.part_column]
        pair = table.c.baseline_run_id, table.c.candidate_run_id
        # Not every database has greatest().
        return case((pair[0] > pair[1], pair[0]), else_=pair[1])

    def _table(self, relation: Relation) -> Table:
        """Return the table of a relation."""
        name = f"{self.schema}.{relation.name}" if self.schema else relation.name
        return self.metadata.tables[name]

    def _note(self, relation: Relation, gone: list[Part], changed: list[Part]) -> None:
        """Record which parts the tables have now."""
        from sqlalchemy import delete, insert

        old = [part.part for part in [*gone, *changed]]
        if old:
            is_of = self.parts.c.relation == relation.name
            which = self.parts.c.part.in_(old)
            self.connection.execute(delete(self.parts).where(is_of, which))
        if changed:
            rows = [
                {
                    "relation": part.relation,
                    "part": part.part,
                    "fingerprint": part.fingerprint,
                }
                for part in changed
            ]
            self.connection.execute(insert(self.parts), rows)

    def _append(
        self, database: Database, relation: Relation, select: str, folder: Path
    ) -> None:
        """Append the rows of a select, by the fastest way that the driver has."""
        if self.connection.dialect.driver == "psycopg":
            self._copy(database, relation, select, folder / "rows.csv")
            return
        from sqlalchemy import insert

        statement = insert(self._table(relation))
        # DuckDB may not end if it is closed while rows of a result are left.
        with database.temporary(_ROWS, select):
            [(count,)] = database.execute(f"select count(*) from {_ROWS}")
            for first in range(0, count, _ROWS_AT_ONCE):
                rows = database.execute(
                    f"from {_ROWS} where rowid between {first}"
                    f" and {first + _ROWS_AT_ONCE - 1} order by rowid"
                )
                records = [dict(zip(relation.columns, r, strict=True)) for r in rows]
                self.connection.execute(statement, records)

    def _copy(
        self, database: Database, relation: Relation, select: str, path: Path
    ) -> None:
        """Append the rows of a select by COPY, which takes what DuckDB writes."""
        texts = [name for name, kind in relation.columns.items() if kind == "varchar"]
        quote = ", ".join(sql_name(name) for name in texts)
        options = f"format csv, header false, nullstr {sql_text(_NULL)}"
        database.execute(
            f"copy ({select}) to {sql_text(str(path))}"
            f" ({options}, force_quote ({quote}))"
        )
        driver: Any = self.connection.connection.dbapi_connection
        columns = ", ".join(sql_name(name) for name in relation.columns)
        table = f"{sql_name(self.schema or SCHEMA)}.{sql_name(relation.name)}"
        statement = f"copy {table} ({columns}) from stdin (format csv, null '{_NULL}')"
        with (
            path.open("rb") as rows,
            driver.cursor() as cursor,
            cursor.copy(statement) as copied,
        ):
            while piece := rows.read(_PIECE):
                copied.write(piece)
        path.unlink()
