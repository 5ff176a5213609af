"""Databases as input: the rows of a select or a table, through SQLAlchemy.

The rows arrive as CSV with every text in quotes and become Parquet, in which they
pass the same checks as a file. They are never in memory as a whole.
"""

import csv
import errno
import json
import os
import re
import shutil
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources, urls
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.urls import Address
from ndcg_sql.system import interrupts, progress
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, shortened, sql_name

if TYPE_CHECKING:
    from sqlalchemy import Connection

# How many seconds a server has to answer, at least.
PATIENCE = 10.0
_BATCH = 10_000
_LONGEST_NOTE = 500
# What begins a transaction that only reads and sees one state of the database, and
# makes numbers and times exact text.
_BEGINNINGS = {
    "postgresql": (
        "set transaction isolation level repeatable read, read only",
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
# The types of columns that are no text and no integers.
_POSTGRESQL_TYPES = {
    "bool": "BOOLEAN",
    "float4": "DOUBLE",
    "float8": "DOUBLE",
    "numeric": "DECIMAL",
    "bytea": "BLOB",
    "json": "STRUCT",
    "jsonb": "STRUCT",
}
_PYTHON_TYPES: tuple[tuple[tuple[type, ...], str], ...] = (
    ((bytes, bytearray, memoryview), "BLOB"),
    ((dict,), "STRUCT"),
    ((list, tuple), "LIST[]"),
    ((bool,), "BOOLEAN"),
    ((Decimal,), "DECIMAL"),
    ((float,), "DOUBLE"),
)
# The types that are also those of the Parquet columns; the others are text there.
_STORED = ("BOOLEAN", "DOUBLE")
# What is not a part of a statement, or may hold a semicolon.
_QUOTED = re.compile(
    r"""(?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"""
    r"|--[^\n]*|/\*.*?\*/",
    re.DOTALL,
)


@dataclass(frozen=True)
class Wanted:
    """Which rows of which database a user wants: those of a select or a table."""

    url: str
    select: str | None = None
    table: str | None = None


@dataclass
class _Received:
    """The columns of received rows with their types, and the number of rows."""

    names: list[str]
    types: list[str]
    rows: int = 0


@contextmanager
def opened(
    wanted: Wanted,
    messages: Messages,
    scratch: Path | None = None,
    patience: float = PATIENCE,
) -> Generator[tuple[Path, sources.Streams]]:
    """Give the rows of a database as a file that is already open.

    Call this before a warehouse is opened: a database may be slow. Raises
    NdcgSqlError if it does not answer within patience, refuses the statement or
    returns no rows. No message and no source shows a password.
    """
    select = None if wanted.select is None else _one_statement(wanted.select)
    where = urls.address(wanted.url)
    noted = f"{where.shown}: {select}" if select else f"{where.shown}: {wanted.table}"
    noted = where.scrubbed(" ".join(noted.split()))
    with temporary_folder(scratch) as folder:
        path, copy = folder / "rows", folder / "received"
        with sources.blaming(where.shown, folder):
            with _connected(where, patience) as connection, _blaming(where):
                select = select or _of_table(connection, wanted.table or "")
                received = _receive(connection, where, select, copy)
            _check(received, where)
            types = _written(received, copy, path)
            copy.unlink()
        with sources.opened(path, messages, scratch) as source:
            yield (
                path,
                {
                    path: replace(
                        source,
                        shown=where.shown,
                        noted=shortened(noted, _LONGEST_NOTE),
                        types=types,
                    )
                },
            )


def _one_statement(select: str) -> str:
    """Return a statement without what ends it; refuse several, or none."""
    bare = _QUOTED.sub(lambda m: ("x" if m["text"] else " ") * len(m[0]), select)
    statement = select[: len(bare.rstrip(" \t\r\n;"))]
    if not bare.strip(" \t\r\n;"):
        raise NdcgSqlError('--select: empty; write it like --select "select ..."')
    if ";" in bare[: len(statement)]:
        raise NdcgSqlError("--select: several statements; give one select")
    return statement


def _of_table(connection: "Connection", table: str) -> str:
    """Return the select of all rows of a table, which may name its schema."""
    quote = connection.dialect.identifier_preparer.quote
    return f"select * from {'.'.join(quote(part) for part in table.split('.'))}"


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
        engine = urls.engine(where)
        stack.callback(engine.dispose)
        with _blaming(where):
            connection = _answered(engine.connect, where, patience)
        # After an error, the connection no longer gives the driver's own.
        driver = connection.connection.driver_connection
        stack.callback(_leave, connection, driver)
        with _blaming(where):
            if connection.dialect.name == "sqlite":
                _let_interrupt(driver)
            for statement in _BEGINNINGS.get(connection.dialect.name, ()):
                connection.exec_driver_sql(statement)
        yield connection


def _answered(
    connect: Callable[[], "Connection"], where: Address, patience: float
) -> "Connection":
    """Return a connection, or raise NdcgSqlError after some seconds."""
    if where.url.get_backend_name() in ("sqlite", "duckdb"):
        # SQLite's connections belong to the thread that makes them.
        return connect()
    answers: SimpleQueue[Connection | Exception] = SimpleQueue()

    def work() -> None:
        try:
            answers.put(connect())
        except Exception as error:
            answers.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        answer = answers.get(timeout=patience)
    except Empty:
        raise NdcgSqlError(
            f"{where.shown}: no answer within {patience:g} seconds; is the address"
            f" right? To wait longer: --timeout {6 * patience:g}"
        ) from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _leave(connection: "Connection", driver: Any) -> None:
    """Close a connection without waiting for rows that were not read yet."""
    rest: Any = getattr(driver, "_result", None)
    if hasattr(rest, "unbuffered_active"):
        # PyMySQL would read them from the closed connection.
        rest.unbuffered_active = False
    with suppress(Exception):
        connection.invalidate()


def _let_interrupt(driver: Any) -> None:
    """Make Ctrl-C end what SQLite is doing."""
    driver.set_progress_handler(lambda: int(interrupts.interrupted()), 100_000)


def _receive(
    connection: "Connection", where: Address, select: str, copy: Path
) -> _Received:
    """Write the rows of a select as CSV, by the fastest way that the driver has."""
    with copy.open("wb") as file:
        receive = _streamed
        if connection.dialect.name == "postgresql":
            receive = _copied if connection.dialect.driver == "psycopg" else _streamed

        def write(data: bytes) -> None:
            if shutil.disk_usage(copy.parent).free < 2 * len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file.write(data)

        with progress.fetching(copy, where.shown):
            return receive(connection, select, write)


def _copied(
    connection: "Connection", select: str, write: Callable[[bytes], None]
) -> _Received:
    """Receive rows as PostgreSQL's COPY writes them."""
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    cursor.execute(f"select * from ({select}\n) as selected limit 0")
    known = driver.adapters.types
    types = [_postgresql_type(known, c.type_code) for c in cursor.description]
    received = _Received([c.name for c in cursor.description], types)
    pieces = bytearray()
    sql = f"copy ({select}\n) to stdout (format csv, header, force_quote *)"
    with cursor.copy(sql) as copy:
        for piece in copy:
            # PostgreSQL sends each row by itself.
            pieces += piece
            if len(pieces) > sources.CHUNK:
                write(bytes(pieces))
                pieces.clear()
    write(bytes(pieces))
    received.rows = cursor.rowcount
    return received


def _postgresql_type(known: Any, number: int) -> str:
    """Return the type of a column, or nothing for text and integers."""
    info = known.get(number)
    if info is None:
        return ""
    return (
        "LIST[]" if info.array_oid == number else _POSTGRESQL_TYPES.get(info.name, "")
    )


def _streamed(
    connection: "Connection", select: str, write: Callable[[bytes], None]
) -> _Received:
    """Receive rows in batches, from a cursor of the server where there is one."""
    options = {"yield_per": _BATCH, "no_parameters": True}
    result = connection.execution_options(**options).exec_driver_sql(select)
    if not result.returns_rows:
        raise NdcgSqlError("--select: a statement without rows; give a select")
    names = list(result.keys())
    received = _Received(names, [])
    found: list[set[type]] = [set() for _ in names]
    lines = _Lines(write)
    lines.add([names])
    batches: Iterator[Sequence[Sequence[Any]]] = result.partitions(_BATCH)
    for batch in batches:
        kinds = [set(map(type, column)) for column in zip(*batch, strict=True)]
        for all_kinds, new in zip(found, kinds, strict=True):
            all_kinds |= new
        is_plain = all(_type(new) in ("", "DECIMAL", *_STORED) for new in kinds)
        lines.add(batch if is_plain else (map(_text, row) for row in batch))
        received.rows += len(batch)
    received.types = [_type(kinds) for kinds in found]
    return received


class _Lines:
    """Writes rows as CSV with every value in quotes."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        """Take what writes bytes."""
        self._pieces: list[str] = []
        self._write = write
        sink: Any = self
        quoting: Any = csv.QUOTE_ALL
        self._writer = csv.writer(sink, quoting=quoting, lineterminator="\n")

    def write(self, line: str) -> None:
        """Take a line from the writer of CSV."""
        self._pieces.append(line)

    def add(self, rows: Iterable[Iterable[Any]]) -> None:
        """Write rows."""
        self._writer.writerows(rows)
        self._write("".join(self._pieces).encode())
        self._pieces.clear()


def _type(kinds: set[type]) -> str:
    """Return the type of values, or nothing for text and integers."""
    kinds = kinds - {type(None)}
    for types, name in _PYTHON_TYPES:
        if any(issubclass(kind, types) for kind in kinds):
            # SQLite has columns of several types.
            is_mixed = name in _STORED and len(kinds) > 1
            return "DECIMAL" if is_mixed else name
    return ""


def _text(value: Any) -> Any:
    """Return a value that has parts, or is bytes, as text."""
    kind: str = _type({type(value)})
    if kind == "BLOB":
        return "\\x" + bytes(value).hex()
    if kind in ("STRUCT", "LIST[]"):
        return json.dumps(value, default=str, ensure_ascii=False)
    return value


def _check(received: _Received, where: Address) -> None:
    """Raise NdcgSqlError for columns without names of their own, or without rows."""
    names = received.names
    if received.rows == 0:
        raise NdcgSqlError(
            f"{where.shown}: no rows; is this the right select or table?"
        )
    unnamed = [place for place, name in enumerate(names, 1) if not name]
    if unnamed:
        raise NdcgSqlError(
            f"{where.shown}: column {unnamed[0]} has no name; give it one: as NAME"
        )
    # DuckDB's names differ by more than their case.
    folded = [name.casefold() for name in names]
    twice = [name for name in names if folded.count(name.casefold()) > 1]
    if twice:
        raise NdcgSqlError(
            f"{where.shown}: several columns are named {listed(dict.fromkeys(twice))};"
            " give each its own name: as NAME"
        )


def _written(received: _Received, copy: Path, path: Path) -> dict[str, str]:
    """Write received rows as Parquet; return the types of columns that seem text."""
    columns = {
        name: type_ if type_ in _STORED else "VARCHAR"
        for name, type_ in zip(received.names, received.types, strict=True)
    }
    types = dict(zip(received.names, received.types, strict=True))
    read = sql_files.read("read/received")
    given = {"path": glob_safe(copy), "columns": columns, "target": str(path)}
    rows = "from read_parquet($path, hive_partitioning = false)"
    written = {"path": glob_safe(path)}
    with duckdb.connect() as connection, interrupts.statement(connection):
        connection.execute(f"copy ({read}) to $target (format parquet)", given)
        found = connection.execute(f"select count(*) {rows}", written).fetchall()
        if found != [(received.rows,)]:
            raise RuntimeError(f"{received.rows} rows received, {found} written")
        for name in [name for name, type_ in types.items() if type_ == "DECIMAL"]:
            # Numbers without decimals may be ids.
            other = f"not regexp_full_match({sql_name(name)}, '-?[0-9]+')"
            sql = f"select coalesce(bool_or({other}), false) {rows}"
            is_exact = connection.execute(sql, written).fetchall() == [(False,)]
            types[name] = "" if is_exact else "DECIMAL"
    return {name: type_ for name, type_ in types.items() if type_ not in ("", *_STORED)}
