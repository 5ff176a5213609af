"""Databases as input: the rows of a select or a table, through SQLAlchemy.

The rows arrive as CSV with every text in quotes and become Parquet, in which they
pass the same checks as a file. They are never in memory as a whole. DuckDB writes
Parquet itself; without a file, it reads whatever files a select names.
"""

import re
import warnings
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.opening import limited
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.frames import check_columns, stored
from ndcg_sql.system import interrupts, progress, urls
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.urls import Address
from ndcg_sql.text import shortened, sql_name
from ndcg_sql.wording import Call, named, use

if TYPE_CHECKING:
    from sqlalchemy import Connection

_BATCH = 10_000
_LONGEST_NOTE = 500
# What begins a transaction that only reads and sees one state of the database.
_BEGINNINGS = {
    "postgresql": (
        "set transaction isolation level repeatable read, read only",
        # Numbers and times are exact text.
        "set local extra_float_digits = 3",
        "set local datestyle = 'ISO'",
        "set local client_encoding = 'UTF8'",
    ),
    "mysql": (
        "set session transaction isolation level repeatable read",
        "start transaction with consistent snapshot, read only",
    ),
    "sqlite": ("pragma query_only = on",),
}
_BEGINNINGS["mariadb"] = _BEGINNINGS["mysql"]
_SELECT = duckdb.StatementType.SELECT
# What is text in Parquet: it would hold wide integers as doubles.
_AS_TEXT = ("HUGEINT", "UHUGEINT", "DECIMAL")
# What may have a semicolon inside: a text, a name, a comment.
_QUOTED = re.compile(
    r"""('[^']*'|"[^"]*"|`[^`]*`|\$(\w*)\$.*?\$\2\$)|--[^\n]*|/\*.*?\*/""", re.DOTALL
)


@dataclass(frozen=True)
class Wanted:
    """Which rows of which database a user wants: those of a select or a table."""

    # It may hold a password.
    url: str = field(repr=False)
    select: str | None = None
    table: str | None = None
    patience: float = urls.PATIENCE

    @property
    def name(self) -> str | None:
        """The name of what is loaded from a table or file, without schema or suffix."""
        if self.table and self.url in urls.DUCKDB:
            return Path(self.table).name.split(".")[0]
        return self.table.split(".")[-1] if self.table else None


@contextmanager
def opened(
    wanted: Wanted, messages: Messages, scratch: Path | None, limits: Limits
) -> Generator[tuple[Path, sources.Streams]]:
    """Give the rows of a database as a file that is already open.

    Call this before a warehouse is opened: a database may be slow. limits are those
    of DuckDB where it reads files. Raises NdcgSqlError if it does not answer, refuses
    the statement or returns no rows. No message and no source shows a password.
    """
    if wanted.select is not None:
        wanted = replace(wanted, select=_one_statement(wanted.select))
    where = urls.address(wanted.url, named("url"))
    noted = f"{where.shown}: {wanted.select or wanted.table}"
    noted = where.scrubbed(" ".join(noted.split()))
    with temporary_folder(scratch) as folder:
        path = folder / "rows"
        with sources.blaming(where.shown, folder):
            if where.url.get_backend_name() == "duckdb":
                types = _of_duckdb(where, wanted, path, limits)
            else:
                types = _received(where, wanted, path)
        with sources.opened(path, messages, scratch) as source:
            fields = {"select": wanted.select, "table": wanted.table}
            chosen = {name: text for name, text in fields.items() if text is not None}
            rows = replace(
                source,
                shown=where.shown,
                noted=shortened(noted, _LONGEST_NOTE),
                types=types,
                # What names the rows in a call has no password.
                argument=Call("database_rows", (where.scrubbed(wanted.url),), chosen),
                unit="row",
            )
            yield path, {path: rows}


def _no_select() -> NdcgSqlError:
    like = "write it like " + use(select="select ...")
    return NdcgSqlError("not a single statement with rows", like, where=named("select"))


def _one_statement(select: str) -> str:
    """Return a statement without what ends it; refuse several, or none."""
    bare = _QUOTED.sub(lambda m: ("x" if m[1] else " ") * len(m[0]), select)
    statement = select[: len(bare.rstrip(" \t\r\n;"))]
    if not statement or ";" in bare[: len(statement)]:
        raise _no_select()
    return statement


def _of_duckdb(
    where: Address, wanted: Wanted, path: Path, limits: Limits
) -> dict[str, str]:
    """Write the rows of a select of DuckDB, in its file or in memory.

    A select writes no file, finds no variable of Python, and has nothing downloaded.
    """
    config: dict[str, Any] = dict(where.url.query)
    with _blaming(where), ExitStack() as stack:
        if where.is_memory:
            connection = stack.enter_context(in_memory())
            connection.execute("set python_enable_replacements = false")
            stack.enter_context(limited(connection, limits, path.parent))
        else:
            file = urls.duckdb_file(where)
            connection = duckdb.connect(file, read_only=True, config=config)
            stack.enter_context(connection)
        stack.enter_context(interrupts.statement(connection))
        stack.enter_context(progress.fetching(path, where.shown))
        table = wanted.table or ""
        parts = [table] if where.is_memory else table.split(".")
        select = wanted.select or f"from {'.'.join(map(sql_name, parts))}"
        # A pivot becomes two statements, the last of which is its select.
        if connection.extract_statements(select)[-1].type != _SELECT:
            raise _no_select()
        rows = connection.sql(select)
        types = dict(zip(rows.columns, map(str, rows.types), strict=True))
        texts = [
            sql_name(n) for n, type_ in types.items() if type_.startswith(_AS_TEXT)
        ]
        if texts:
            casts = ", ".join(f"{name}::varchar as {name}" for name in texts)
            rows = rows.project(f"* replace ({casts})")
        rows.write_parquet(str(path))
        count = "select count(*) from read_parquet($path)"
        [(number,)] = connection.execute(count, {"path": str(path)}).fetchall()
    check_columns(rows.columns, number, where.shown)
    # Numbers without decimals may be ids.
    return {
        name: "DECIMAL"
        for name, type_ in types.items()
        if type_.startswith("DECIMAL") and not type_.endswith(",0)")
    }


def _received(where: Address, wanted: Wanted, path: Path) -> dict[str, str]:
    """Write the rows of a driver, from a cursor of the server where there is one."""
    options = {"yield_per": _BATCH, "no_parameters": True}
    with _connected(where, wanted.patience) as connection, _blaming(where):
        # A table may be named with its schema.
        quote = connection.dialect.identifier_preparer.quote
        table = ".".join(map(quote, (wanted.table or "").split(".")))
        select = wanted.select or f"select * from {table}"
        result = connection.execution_options(**options).exec_driver_sql(select)
        if not result.returns_rows:
            raise _no_select()
        rows = result.partitions(_BATCH)
        return stored(list(result.keys()), rows, where.shown, path)


@contextmanager
def _blaming(where: Address) -> Generator[None]:
    """Raise whatever the driver raises as an NdcgSqlError that names the database."""
    try:
        yield
    except (NdcgSqlError, OSError):
        # These are errors of our own files.
        raise
    except Exception as error:
        raise where.failed(error) from None


@contextmanager
def _connected(where: Address, patience: float) -> Generator["Connection"]:
    """Connect to a database, in a transaction that only reads."""
    with ExitStack() as stack:
        # A driver's warnings are for programmers.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        engine = urls.engine(where, read_only=True)
        stack.callback(engine.dispose)
        with _blaming(where):
            connection = urls.answered(engine.connect, where, patience)
        # After an error, the connection no longer gives the driver's own.
        driver: Any = connection.connection.driver_connection
        stack.callback(_leave, connection, driver)
        with _blaming(where):
            if connection.dialect.name == "sqlite":
                # Ctrl-C ends what SQLite is doing.
                driver.set_progress_handler(
                    lambda: int(interrupts.interrupted()), 100_000
                )
            for statement in _BEGINNINGS.get(connection.dialect.name, ()):
                connection.exec_driver_sql(statement)
        yield connection


def _leave(connection: "Connection", driver: Any) -> None:
    """Close a connection without waiting for rows that were not read yet."""
    rest: Any = getattr(driver, "_result", None)
    if hasattr(rest, "unbuffered_active"):
        # PyMySQL would read them from the closed connection.
        rest.unbuffered_active = False
    with suppress(Exception):
        connection.invalidate()
