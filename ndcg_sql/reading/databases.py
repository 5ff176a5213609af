"""Databases as input: the rows of a select or a table, through SQLAlchemy.

The rows arrive as CSV with every text in quotes and become Parquet, in which they
pass the same checks as a file. They are never in memory as a whole.
"""

import errno
import os
import re
import shutil
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.received import (
    STORED,
    Lines,
    Received,
    as_text,
    check,
    type_of,
    written,
)
from ndcg_sql.system import interrupts, progress, urls
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.urls import Address
from ndcg_sql.text import shortened

if TYPE_CHECKING:
    from sqlalchemy import Connection

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


@contextmanager
def opened(
    wanted: Wanted,
    messages: Messages,
    scratch: Path | None = None,
    patience: float = urls.PATIENCE,
) -> Generator[tuple[Path, sources.Streams]]:
    """Give the rows of a database as a file that is already open.

    Call this before a warehouse is opened: a database may be slow. Raises
    NdcgSqlError if it does not answer within patience, refuses the statement or
    returns no rows. No message and no source shows a password.
    """
    select = None if wanted.select is None else _one_statement(wanted.select)
    where = urls.address(wanted.url, "--from")
    noted = f"{where.shown}: {select}" if select else f"{where.shown}: {wanted.table}"
    noted = where.scrubbed(" ".join(noted.split()))
    with temporary_folder(scratch) as folder:
        path, copy = folder / "rows", folder / "received"
        with sources.blaming(where.shown, folder):
            with _connected(where, patience) as connection, _blaming(where):
                select = select or _of_table(connection, wanted.table or "")
                received = _receive(connection, where, select, copy)
            check(received, where.shown)
            types = written(received, copy, path)
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
        engine = urls.engine(where, read_only=True)
        stack.callback(engine.dispose)
        with _blaming(where):
            connection = urls.answered(engine.connect, where, patience)
        # After an error, the connection no longer gives the driver's own.
        driver = connection.connection.driver_connection
        stack.callback(_leave, connection, driver)
        with _blaming(where):
            if connection.dialect.name == "sqlite":
                _let_interrupt(driver)
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


def _let_interrupt(driver: Any) -> None:
    """Make Ctrl-C end what SQLite is doing."""
    driver.set_progress_handler(lambda: int(interrupts.interrupted()), 100_000)


def _receive(
    connection: "Connection", where: Address, select: str, copy: Path
) -> Received:
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
) -> Received:
    """Receive rows as PostgreSQL's COPY writes them."""
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    cursor.execute(f"select * from ({select}\n) as selected limit 0")
    known = driver.adapters.types
    types = [_postgresql_type(known, c.type_code) for c in cursor.description]
    received = Received([c.name for c in cursor.description], types)
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
) -> Received:
    """Receive rows in batches, from a cursor of the server where there is one."""
    options = {"yield_per": _BATCH, "no_parameters": True}
    result = connection.execution_options(**options).exec_driver_sql(select)
    if not result.returns_rows:
        raise NdcgSqlError("--select: a statement without rows; give a select")
    names = list(result.keys())
    received = Received(names, [])
    found: list[set[type]] = [set() for _ in names]
    lines = Lines(write)
    lines.add([names])
    batches: Iterator[Sequence[Sequence[Any]]] = result.partitions(_BATCH)
    for batch in batches:
        kinds = [set(map(type, column)) for column in zip(*batch, strict=True)]
        for all_kinds, new in zip(found, kinds, strict=True):
            all_kinds |= new
        is_plain = all(type_of(new) in ("", "DECIMAL", *STORED) for new in kinds)
        lines.add(batch if is_plain else (map(as_text, row) for row in batch))
        received.rows += len(batch)
    received.types = [type_of(kinds) for kinds in found]
    return received
