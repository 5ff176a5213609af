"""Rows that a database sent, to us or to others: as CSV and then as Parquet.

Every text is exact; of numbers, the type decides whether they can be ids.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import copying
from ndcg_sql.system import interrupts, progress
from ndcg_sql.text import listed, shortened, sql_name

# What messages call results of queries: of SQLAlchemy, and cursors of
# Python's drivers.
RESULT = "result"
_BATCH = 10_000
_LONGEST_REASON = 300
_TYPES: tuple[tuple[tuple[type, ...], str], ...] = (
    ((bytes, bytearray, memoryview), "BLOB"),
    ((dict,), "STRUCT"),
    ((list, tuple), "LIST[]"),
    ((bool,), "BOOLEAN"),
    ((Decimal,), "DECIMAL"),
    ((float,), "DOUBLE"),
)
# The types that are also those of the Parquet columns; the others are text there.
_STORED = ("BOOLEAN", "DOUBLE")


@dataclass
class Received:
    """The columns of received rows with their types, and the number of rows."""

    names: list[str]
    types: list[str]
    rows: int = 0


class Lines:
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


def stored(
    names: list[str], batches: Iterable[Sequence[Sequence[Any]]], shown: str, path: Path
) -> dict[str, str]:
    """Write the rows of a driver as Parquet; raise NdcgSqlError if there are none.

    Returns the types of columns that are text there, but were not before.
    """
    copy = path.with_name("received")
    with copying(copy) as write, progress.fetching(copy, shown):
        received = gathered(names, batches, write)
    check(received, shown)
    written(received, copy, path)
    copy.unlink()
    return text_types(received, path)


def gathered(
    names: list[str],
    batches: Iterable[Sequence[Sequence[Any]]],
    write: Callable[[bytes], None],
) -> Received:
    """Write the rows of a driver as CSV, batch by batch."""
    received = Received(names, [])
    kinds_seen: list[set[type]] = [set() for _ in names]
    lines = Lines(write)
    lines.add([names])
    for batch in batches:
        kinds = [set(map(type, column)) for column in zip(*batch, strict=True)]
        for all_kinds, new in zip(kinds_seen, kinds, strict=True):
            all_kinds |= new
        is_plain = all(type_of(new) in ("", "DECIMAL", *_STORED) for new in kinds)
        lines.add(batch if is_plain else (map(as_text, row) for row in batch))
        received.rows += len(batch)
    received.types = [type_of(kinds) for kinds in kinds_seen]
    return received


def type_of(kinds: set[type]) -> str:
    """Return the type of values, or nothing for text and integers."""
    kinds = kinds - {type(None)}
    for types, name in _TYPES:
        if any(issubclass(kind, types) for kind in kinds):
            # SQLite has columns of several types.
            is_mixed = name in _STORED and len(kinds) > 1
            return "DECIMAL" if is_mixed else name
    return ""


def as_text(value: Any) -> Any:
    """Return a value that has parts, or is bytes, as text."""
    kind: str = type_of({type(value)})
    if kind == "BLOB":
        return "\\x" + bytes(value).hex()
    if kind in ("STRUCT", "LIST[]"):
        return json.dumps(value, default=str, ensure_ascii=False)
    return value


def check(received: Received, shown: str) -> None:
    """Raise NdcgSqlError for columns without names of their own, or without rows."""
    names = received.names
    if received.rows == 0 or not names:
        raise NdcgSqlError(f"{shown}: no rows; is this the right select or table?")
    unnamed = [place for place, name in enumerate(names, 1) if not name]
    if unnamed:
        raise NdcgSqlError(
            f"{shown}: column {unnamed[0]} has no name; give it one: as NAME"
        )
    # DuckDB's names differ by more than their case.
    folded = [name.casefold() for name in names]
    twice = [name for name in names if folded.count(name.casefold()) > 1]
    if twice:
        raise NdcgSqlError(
            f"{shown}: several columns are named {listed(dict.fromkeys(twice))};"
            " give each its own name: as NAME"
        )


def written(received: Received, copy: Path, path: Path) -> None:
    """Write received rows as Parquet, which were written as CSV."""
    columns = {
        name: type_ if type_ in _STORED else "VARCHAR"
        for name, type_ in zip(received.names, received.types, strict=True)
    }
    read = sql_files.read("read/received")
    parameters = {"path": glob_safe(copy), "columns": columns, "target": str(path)}
    with in_memory() as connection, interrupts.statement(connection):
        connection.execute(f"copy ({read}) to $target (format parquet)", parameters)


def text_types(received: Received, path: Path) -> dict[str, str]:
    """Return the types of columns that are text in Parquet, but were not before."""
    types = dict(zip(received.names, received.types, strict=True))
    rows = "from read_parquet($path, hive_partitioning = false)"
    target = {"path": glob_safe(path)}
    with in_memory() as connection, interrupts.statement(connection):
        counts = connection.execute(f"select count(*) {rows}", target).fetchall()
        if counts != [(received.rows,)]:
            raise RuntimeError(f"{received.rows} rows received, {counts} written")
        for name in [name for name, type_ in types.items() if type_ == "DECIMAL"]:
            # Numbers without decimals may be ids.
            other = f"not regexp_full_match({sql_name(name)}, '-?[0-9]+')"
            sql = f"select coalesce(bool_or({other}), false) {rows}"
            is_exact = connection.execute(sql, target).fetchall() == [(False,)]
            types[name] = "" if is_exact else "DECIMAL"
    return {name: type_ for name, type_ in types.items() if type_ not in ("", *_STORED)}


def is_cursor(value: Any) -> bool:
    """Return whether rows can be fetched from an object."""
    has_names = hasattr(value, "description") or callable(getattr(value, "keys", None))
    return has_names and callable(getattr(value, "fetchmany", None))


def write_cursor(cursor: Any, path: Path) -> dict[str, str]:
    """Write the rows that are left of a cursor as Parquet; it stays open.

    Returns the types of columns that are text there, but were not before. Raises
    NdcgSqlError if there are no rows, or if its driver fails.
    """
    return stored(*_read(cursor), RESULT, path)


def _read(cursor: Any) -> tuple[list[str], Iterator[Sequence[Sequence[Any]]]]:
    """Return the names of the columns, and the rows in batches."""
    try:
        # A cursor has no columns before it is executed, and after an insert.
        names = (
            list(cursor.keys())
            if not hasattr(cursor, "description")
            else [str(column[0]) for column in cursor.description or ()]
        )
    except Exception as error:
        raise _failed(error) from error
    if not names:
        raise NdcgSqlError(f"{RESULT}: no rows; execute a select first")
    return names, _batches(cursor, names)


def _batches(cursor: Any, names: list[str]) -> Iterator[Sequence[Sequence[Any]]]:
    while True:
        try:
            batch: list[Any] = list(cursor.fetchmany(_BATCH))
        except Exception as error:
            raise _failed(error) from error
        if not batch:
            return
        if isinstance(batch[0], Mapping):
            batch = [[row[name] for name in names] for row in batch]
        yield batch


def _failed(error: Exception) -> NdcgSqlError:
    cause = getattr(error, "orig", None) or error
    reason = str(cause).strip().partition("\n")[0] or type(cause).__name__
    return NdcgSqlError(f"{RESULT}: {shortened(reason, _LONGEST_REASON)}")
