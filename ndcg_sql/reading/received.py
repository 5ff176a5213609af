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
    ((float,), "DOUBLE"),
    ((Decimal,), "DECIMAL"),
)


def stored(
    names: list[str], batches: Iterable[Sequence[Sequence[Any]]], shown: str, path: Path
) -> dict[str, str]:
    """Write the rows of a driver as Parquet; raise NdcgSqlError if there are none.

    Returns the types of columns that were not text before. Decimals that are all whole
    may be ids.
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
                is_plain = is_plain and _type(kinds) in ("", "DECIMAL", "DOUBLE")
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
    texts = dict.fromkeys(names, "VARCHAR")
    parameters = {"path": glob_safe(copy), "columns": texts, "target": str(path)}
    with in_memory() as connection, interrupts.statement(connection):
        sql = f"copy ({sql_files.read('read/received')}) to $target (format parquet)"
        [(written,)] = connection.execute(sql, parameters).fetchall()
    if written != count:
        raise RuntimeError(f"{count} rows received, {written} written")
    copy.unlink()
    types = {
        name: _type(kinds)
        for at, (name, kinds) in enumerate(zip(names, kinds_of, strict=True))
        if at in fractional or not kinds <= {Decimal, int, type(None)}
    }
    return {name: type_ for name, type_ in types.items() if type_}


def _type(kinds: set[type]) -> str:
    """Return the type of values, or nothing for text and integers."""
    for types, name in _TYPES:
        if any(issubclass(kind, types) for kind in kinds):
            return name
    return ""


def _text(value: Any) -> Any:
    """Return a value that has parts, or is bytes or a truth value, as text."""
    kind = _type({type(value)})
    if kind == "BLOB":
        return "\\x" + bytes(value).hex()
    if kind == "BOOLEAN":
        return str(value).lower()
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
