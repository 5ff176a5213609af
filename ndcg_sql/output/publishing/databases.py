"""Tables in any database that SQLAlchemy speaks, changed in one transaction."""

import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import Connection, Engine, Table, case, delete, insert, inspect, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateSchema

from ndcg_sql.database.connections import is_disk_full, spill_folder, translated
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.publishing import parts
from ndcg_sql.output.publishing.parts import NEWER, Compared, Fingerprints, Part, Plan
from ndcg_sql.output.publishing.tables import MYSQL, PARTS, Tables, check_columns
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
        if _is_up_to_date(engine, where, schema, present):
            return None
        with opened(True) as database, spill_folder(None, database.folder) as folder:
            if folder is None:
                raise NdcgSqlError(
                    "no folder for temporary files", use(temporary=Blank("DIR"))
                )
            plan = parts.plan(database, compared)
            try:
                with _begun(engine) as connection:
                    _Target(connection, schema, plan).fill(database, folder)
            except duckdb.Error as error:
                if is_disk_full(error):
                    raise translated(error, str(folder)) from error
                raise
        return plan


def _check(where: Address, schema: str | None) -> None:
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
                "another program made it meanwhile",
                "try again",
                where=where.shown,
            )


@contextmanager
def _reached(where: Address, patience: float) -> Generator[Engine]:

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
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            # The driver begins none before statements that define tables.
            connection.connection.dbapi_connection.isolation_level = None  # pyright: ignore[reportOptionalMemberAccess]
            connection.exec_driver_sql("begin immediate")
        try:
            yield connection
            connection.commit()
        except BaseException:
            with suppress(Exception):
                connection.rollback()
            raise


def _is_up_to_date(
    engine: Engine, where: Address, schema: str | None, plan: Plan
) -> bool:
    with engine.connect() as connection:
        target = _Target(connection, schema, plan)
        if not target.is_ours(where):
            return False
        there = target.tables()
        is_same = target.fingerprints(there) == plan.fingerprints
        return is_same and not there & plan.left_out.keys()


class _Target:
    """The tables of a schema, seen by one connection, and what they are to be."""

    def __init__(self, connection: Connection, schema: str | None, plan: Plan) -> None:
        self.connection = connection
        self.plan = plan
        self.dialect = connection.dialect.name
        plain = self.dialect in _WITHOUT_SCHEMAS
        self.schema = schema or (None if plain else SCHEMA)
        self.made = Tables(connection, self.schema, plan.publishable.values())
        self.parts = self.made.parts

    def is_ours(self, where: Address) -> bool:
        """Return whether a schema was published to; False if it is empty or new.

        Raises NdcgSqlError if it has other tables, or if its tables are those of
        another version.
        """
        inspector = inspect(self.connection)
        place = f"schema {quoted(self.schema)}" if self.schema else "the database"
        if self.schema and self.schema not in inspector.get_schema_names():
            return False
        there = inspector.get_table_names(schema=self.schema)
        views = inspector.get_view_names(schema=self.schema)
        if PARTS not in there:
            if there or views:
                is_file = self.dialect == "sqlite"
                other = " file" if is_file else ": " + use(schema=Blank("NAME"))
                raise NdcgSqlError(
                    f"{where.shown}: {place} has tables that ndcg-sql did not publish"
                    f" ({listed([*there, *views], 3)})",
                    "name another" + other,
                )
            return False
        for relation in self.plan.publishable.values():
            if relation.name in views:
                raise NdcgSqlError(
                    f"{where.shown}: {place} has a view {quoted(relation.name)};"
                    " drop it"
                )
            if relation.name in there:
                columns = inspector.get_columns(relation.name, schema=self.schema)
                check_columns(relation, columns, f"{where.shown}: {place}")
        return True

    def tables(self) -> set[str]:
        inspector = inspect(self.connection)
        if self.schema and self.schema not in inspector.get_schema_names():
            return set()
        return set(inspector.get_table_names(schema=self.schema))

    def fingerprints(self, tables: set[str]) -> Fingerprints:
        rows = self.connection.execute(select(self.parts))
        return {
            (relation, part): fingerprint
            for relation, part, fingerprint in rows
            if relation in tables
        }

    def fill(self, database: Database, folder: Path) -> None:
        self._begin()
        # A table that someone dropped is filled again.
        there = self.tables()
        if self.schema:
            # MySQL has no transactions for tables, and none is needed: they are empty.
            self.connection.execute(CreateSchema(self.schema, if_not_exists=True))
        plan = self.plan
        wanted = plan.relations()
        self.made.make(self.connection, wanted)
        if self.dialect in MYSQL:
            # A statement on a table would end the transaction later.
            self.made.extend(self.connection, plan.with_attributes)
        if self.dialect == "postgresql":
            # Another publication ends first; readers do not wait.
            name = f"{sql_name(self.schema or '')}.{PARTS}".replace("%", "%%")
            self.connection.exec_driver_sql(f"lock table {name} in exclusive mode")
        fingerprints = self.fingerprints(there)
        for relation in wanted:
            present = {part.key for part in plan.of(relation)}
            changed = [
                part for part in plan.changed(fingerprints) if part.key in present
            ]
            gone = [
                Part(*key, "", "")
                for key in fingerprints
                if key[0] == relation.name and key not in present
            ]
            if relation.attributes and self.dialect not in MYSQL:
                # Readers of the table wait from here on: it is the last.
                self.made.extend(self.connection, relation)
            # Also what is there without being noted, whoever left it.
            self._delete(relation, [*gone, *changed])
            for rows in parts.selects(database, plan, relation, changed):
                self._append(database, relation, rows, folder)
            self._note(relation, gone, changed)
        new = [relation for relation in wanted if relation.name not in there]
        self.made.finish(self.connection, new)
        self._drop(there & plan.left_out.keys())

    def _drop(self, names: set[str]) -> None:
        """Drop tables that grew too large: an empty one would say that nothing is so.

        MySQL ends the transaction with the first of them, so that it comes last.
        """
        of_these = self.parts.c.relation.in_(names)
        self.connection.execute(delete(self.parts).where(of_these))
        for name in sorted(names):
            try:
                self.made.of(self.plan.publishable[name]).drop(self.connection)
            except DBAPIError as error:
                reason = str(error.orig).partition("\n")[0]
                raise NdcgSqlError(
                    f"{quoted(name)} has become too large to publish, and was not"
                    f" dropped: {reason}",
                    "drop what reads it, and publish again",
                ) from error

    def _begin(self) -> None:
        if self.dialect == "postgresql":
            self.connection.exec_driver_sql("set local client_encoding = 'UTF8'")
        if self.dialect in MYSQL:
            sql = f"select get_lock('ndcg_sql publish', {_TURN})"
            if self.connection.exec_driver_sql(sql).scalar() != 1:
                raise NdcgSqlError(f"another publication takes over {_TURN} seconds")

    def _delete(self, relation: Relation, old: list[Part]) -> None:

        if not old:
            return
        table = self.made.of(relation)
        statement = delete(table)
        if relation.part_column:
            values = parts.values(relation, old)
            statement = statement.where(self._part_of(table, relation).in_(values))
        self.connection.execute(statement)

    def _part_of(self, table: Table, relation: Relation) -> Any:
        if relation.part_column != NEWER:
            return table.c[relation.part_column]
        pair = table.c.baseline_run_id, table.c.candidate_run_id
        # Not every database has greatest().
        return case((pair[0] > pair[1], pair[0]), else_=pair[1])

    def _note(self, relation: Relation, gone: list[Part], changed: list[Part]) -> None:

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
        if self.connection.dialect.driver == "psycopg":
            self._copy(database, relation, select, folder / "rows.csv")
            return

        statement = insert(self.made.of(relation))
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
