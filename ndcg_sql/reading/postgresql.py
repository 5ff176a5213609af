"""The fast ways to read from PostgreSQL: ADBC's record batches, and COPY by psycopg.

Both give the same values: what is neither a number nor a Boolean is text, as
PostgreSQL writes it.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any

from ndcg_sql.reading.compression import CHUNK
from ndcg_sql.reading.received import Received
from ndcg_sql.reading.sources import check_space
from ndcg_sql.text import sql_name

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection

# What begins a transaction that only reads and sees one state of the database, and
# makes numbers and times exact text.
BEGINNING = (
    "set transaction isolation level repeatable read, read only",
    "set local extra_float_digits = 3",
    "set local datestyle = 'ISO'",
    "set local client_encoding = 'UTF8'",
)
# The types of columns that are no text and no integers.
_TYPES = {
    "bool": "BOOLEAN",
    "float4": "DOUBLE",
    "float8": "DOUBLE",
    "numeric": "DECIMAL",
    "bytea": "BLOB",
    "json": "STRUCT",
    "jsonb": "STRUCT",
}
# What ADBC reads as it is.
_EXACT = ("int2", "int4", "int8", "text", "varchar", "bpchar", "name", "bool", "float8")
# What PostgreSQL makes of other types, so that they are as COPY writes them: text. The
# shortest text of a single float is that of the double that is meant.
_CASTS = {
    **dict.fromkeys(_EXACT, "{}"),
    "float4": "{}::text::float8",
    "inet": "nullif(format('%s', {}), '')",
}
# What the driver puts before the words of PostgreSQL.
_PREFIX = re.compile(
    r"([A-Z_]+: )?(\[libpq\] )?"
    r"((Failed to \w+( query)?|could not begin COPY|Execution error \[\w+\]): )*"
    r"((ERROR|FATAL|PANIC): +)?"
)
# The first version of the driver that gives PostgreSQL's names of types.
_TELLS_TYPES = (1, 13)
# How many batches are read before the first of them is written.
_AHEAD = 2


def copied(
    connection: "Connection", select: str, write: Callable[[bytes], None]
) -> Received:
    """Receive rows as CSV, as COPY writes them; psycopg is the driver."""
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    cursor.execute(_without_rows(select))
    registry = driver.adapters.types
    type_infos = [registry.get(column.type_code) for column in cursor.description]
    # An array has the number of its own, and the name of its elements.
    types = [
        "LIST[]"
        if info and info.array_oid == column.type_code
        else _TYPES.get(info.name if info else "", "")
        for info, column in zip(type_infos, cursor.description, strict=True)
    ]
    received = Received([column.name for column in cursor.description], types)
    pieces = bytearray()
    sql = f"copy ({select}\n) to stdout (format csv, header, force_quote *)"
    with cursor.copy(sql) as copy:
        for piece in copy:
            # PostgreSQL sends each row by itself.
            pieces += piece
            if len(pieces) > CHUNK:
                write(bytes(pieces))
                pieces.clear()
    write(bytes(pieces))
    received.rows = cursor.rowcount
    return received


def has_batches(url: "URL") -> bool:
    """Return whether ADBC reads from a database: if no other driver is named.

    Without a host, its libpq looks for a server elsewhere than that of a system.
    """
    if url.drivername != "postgresql" or not url.host or find_spec("pyarrow") is None:
        return False
    try:
        major, minor = version("adbc-driver-postgresql").split(".")[:2]
    except PackageNotFoundError:
        return False
    return (int(major), int(minor)) >= _TELLS_TYPES


class Batches:
    """A select that ADBC reads, in a thread of its own.

    So Ctrl-C need not wait for the server, and rows arrive while those before them are
    written.
    """

    def __init__(self, url: "URL", select: str) -> None:
        """Begin to connect."""
        self._url = url
        self._select = select
        self._statement: Any = None
        self._is_left = False
        self._types: list[str] = []
        # None once it is connected, a schema, batches, and None after the last; or
        # an error.
        self._items: Queue[Any] = Queue(_AHEAD)
        Thread(target=self._work, daemon=True).start()

    def connected(self) -> Any:
        """Wait for the connection."""
        return self._next()

    def write(self, path: Path) -> Received:
        """Write the rows as Parquet; raise OSError if the disk is full."""
        parquet: Any = import_module("pyarrow.parquet")
        schema = self._next()
        received = Received(list(schema.names), self._types)
        with path.open("wb") as file, parquet.ParquetWriter(file, schema) as writer:
            while (batch := self._next()) is not None:
                check_space(path.parent, batch.nbytes)
                writer.write_batch(batch)
                received.rows += batch.num_rows
        return received

    def leave(self) -> None:
        """End the select, if it still runs, and the thread."""
        self._is_left = True
        with suppress(Exception):
            self._statement.cancel()
        with suppress(Empty):
            while True:
                self._items.get_nowait()

    def _next(self) -> Any:
        """Return the next item; raise it if it is an error."""
        item = self._items.get()
        if isinstance(item, Exception):
            raise item
        return item

    def _work(self) -> None:
        """Put everything up to the last batch, or up to an error."""
        try:
            # Their module dbapi would import polars, which takes Ctrl-C for itself.
            driver: Any = import_module("adbc_driver_postgresql")
            manager: Any = import_module("adbc_driver_manager")
            with (
                driver.connect(_address(self._url)) as database,
                manager.AdbcConnection(database) as connection,
            ):
                connection.set_autocommit(False)
                self._items.put(None)
                with manager.AdbcStatement(connection) as self._statement:
                    self._read(self._statement)
            self._items.put(None)
        except Exception as error:
            self._items.put(RuntimeError(_reason(error)))

    def _read(self, statement: Any) -> None:
        """Put the schema and the batches, as long as they are wanted."""
        for sql in BEGINNING:
            statement.set_sql_query(sql)
            statement.execute_update()
        with _executed(statement, _without_rows(self._select)) as reader:
            schema = reader.schema
        names = [field.metadata[b"POSTGRESQL:type"].decode() for field in schema]
        self._types = [
            "LIST[]" if name.startswith("_") else _TYPES.get(name, "") for name in names
        ]
        select = _with_casts(self._select, schema.names, names)
        with _executed(statement, select) as reader:
            self._items.put(reader.schema)
            for batch in reader:
                self._items.put(batch)
                if self._is_left:
                    return


def _executed(statement: Any, select: str) -> Any:
    """Return a reader of the rows of a select, which closes itself."""
    statement.set_sql_query(select)
    handle, _ = statement.execute_query()
    return import_module("pyarrow").RecordBatchReader.from_stream(handle)


def _without_rows(select: str) -> str:
    """Return a select of the same columns, and no rows."""
    return f"select * from ({select}\n) as selected limit 0"


def _with_casts(select: str, columns: Sequence[str], types: Sequence[str]) -> str:
    """Return a select in which columns of other types are text."""
    places = [f"c{place}" for place in range(len(types))]
    values = [
        _CASTS.get(name, "{}::text").format(place)
        for place, name in zip(places, types, strict=True)
    ]
    if values == places:
        return select
    named = [
        f"{value} as {sql_name(column)}"
        for value, column in zip(values, columns, strict=True)
    ]
    rows = f"({select}\n) as selected ({', '.join(places)})"
    return f"select {', '.join(named)} from {rows}"


def _address(url: "URL") -> str:
    """Return where libpq connects: what SQLAlchemy would tell it."""
    _, arguments = url.get_dialect()().create_connect_args(url)
    escaped = {
        key: re.sub(r"([\\'])", r"\\\1", str(arguments[key])) for key in arguments
    }
    return " ".join(f"{key}='{value}'" for key, value in escaped.items())


def _reason(error: Exception) -> str:
    """Return an error in the words of PostgreSQL, without those of the drivers."""
    line = str(error).strip().partition("\n")[0]
    return _PREFIX.sub("", line, count=1)
