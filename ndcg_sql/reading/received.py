"""Rows that a driver of a database fetched: as CSV and then as Parquet.

Every text is exact; of numbers, the type decides whether they can be ids.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import copying
from ndcg_sql.system import interrupts, progress
from ndcg_sql.text import listed, shortened

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
# What stands beside decimals only in columns of several types.
_OF_OTHERS = (bool, float, str)


def stored(
    names: list[str], batches: Iterable[Sequence[Sequence[Any]]], shown: str, path: Path
) -> dict[str, str]:
    """Write the rows of a driver as Parquet; raise NdcgSqlError if there are none.

    Returns the types of columns that are text there, but were not before.
    """
    copy = path.with_name("received")
    kinds_of: list[set[type]] = [set() for _ in names]
    fractional: set[int] = set()
    count = 0
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    with copying(copy) as write, progress.fetching(copy, shown):
        writer.writerow(names)
        for batch in batches:
            is_plain = True
            for at, column in enumerate(zip(*batch, strict=True)):
                kinds = set(map(type, column))
                kinds_of[at] |= kinds
                is_plain = is_plain and _type(kinds) in ("", "DECIMAL", *_STORED)
                # A whole number is written without a point or an exponent.
                if Decimal in kinds and any(
                    isinstance(one, Decimal) and one.as_tuple().exponent
                    for one in column
                ):
                    fractional.add(at)
            writer.writerows(batch if is_plain else (map(_text, row) for row in batch))
            write(text.getvalue().encode())
            text.seek(0)
            text.truncate()
            count += len(batch)
    check_columns(names, count, shown)
    types = {name: _type(kinds) for name, kinds in zip(names, kinds_of, strict=True)}
    columns = {n: t if t in _STORED else "VARCHAR" for n, t in types.items()}
    read = sql_files.read("read/received")
    parameters = {"path": glob_safe(copy), "columns": columns, "target": str(path)}
    with in_memory() as connection, interrupts.statement(connection):
        sql = f"copy ({read}) to $target (format parquet)"
        [(written,)] = connection.execute(sql, parameters).fetchall()
    if written != count:
        raise RuntimeError(f"{count} rows received, {written} written")
    copy.unlink()
    # Numbers without decimals may be ids.
    for at, name in enumerate(names):
        is_decimal = not any(issubclass(one, _OF_OTHERS) for one in kinds_of[at])
        if types[name] == "DECIMAL" and is_decimal and at not in fractional:
            types[name] = ""
    return {n: t for n, t in types.items() if t not in ("", *_STORED)}


def _type(kinds: set[type]) -> str:
    """Return the type of values, or nothing for text and integers."""
    kinds = kinds - {type(None)}
    for types, name in _TYPES:
        if any(issubclass(kind, types) for kind in kinds):
            # SQLite has columns of several types.
            is_mixed = name in _STORED and len(kinds) > 1
            return "DECIMAL" if is_mixed else name
    return ""


def _text(value: Any) -> Any:
    """Return a value that has parts, or is bytes, as text."""
    kind = _type({type(value)})
    if kind == "BLOB":
        return "\\x" + bytes(value).hex()
    if kind in ("STRUCT", "LIST[]"):
        return json.dumps(value, default=str, ensure_ascii=False)
    return value


def check_columns(names: Sequence[str], count: int, shown: str) -> None:
    """Raise NdcgSqlError for columns without names of their own, or without rows."""
    if count == 0 or not names:
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


def is_cursor(value: Any) -> bool:
    """Return whether rows can be fetched from an object."""
    has_names = hasattr(value, "description") or callable(getattr(value, "keys", None))
    return has_names and callable(getattr(value, "fetchmany", None))


def write_cursor(cursor: Any, path: Path) -> dict[str, str]:
    """Write the rows that are left of a cursor as Parquet; it stays open.

    Returns the types of columns that are text there, but were not before. Raises
    NdcgSqlError if there are no rows, or if its driver fails.
    """
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
    return stored(names, _batches(cursor, names), RESULT, path)


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
