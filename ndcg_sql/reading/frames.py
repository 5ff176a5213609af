"""Frames and results as input: what DuckDB scans, and rows that a driver fetched.

Of the latter, all text is exact; of numbers, the type decides whether they can be ids.
"""

import csv
import io
import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import check_distinct
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import copying
from ndcg_sql.system import interrupts, progress
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, shortened

Frame = Any
_VIEW = "loaded_frame"
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


def _columnar(frame: Frame) -> Frame:
    """Return a frame as DuckDB reads it best: relations as Arrow, some of pandas too.

    A frame of pandas becomes an Arrow table if its text is already Arrow's:
    DuckDB 1.5 would make a Python object of every value (four times the work).
    For columns of objects, it reads more types than Arrow does.
    """
    if isinstance(frame, duckdb.DuckDBPyRelation):
        # In DuckDB 2, another connection cannot read a relation.
        relation: Any = frame
        return relation.to_arrow_reader()
    dtypes = list(getattr(frame, "dtypes", ()))
    is_arrow = any(getattr(dtype, "storage", "") == "pyarrow" for dtype in dtypes)
    if not is_arrow or "object" in map(str, dtypes):
        return frame
    return import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)


def _whole(frame: Frame) -> Frame:
    """Return a pandas frame with the named parts of its index as columns.

    The index of df.set_index("query_id") holds ids; that of a sorted or selected
    frame has no name, and means nothing.
    """
    if not hasattr(frame, "reset_index") or not hasattr(frame, "columns"):
        return frame
    columns = list(frame.columns)
    named = [name for name in frame.index.names if name not in (None, *columns)]
    return frame.reset_index(level=named) if named else frame


@contextmanager
def opened(
    database: Database,
    frame: Frame,
    messages: Messages,
    shown: str = "frame",
    lines: bytes | None = None,
) -> Generator[tuple[Path, sources.Streams]]:
    """Give a frame as a file that is already open; messages name it as shown.

    It may also be a result to be fetched. It is written as Parquet, so that its types
    and rows pass the same checks as a file; lines of TSV with its rows are the file, if
    there are any. Raises NdcgSqlError if it cannot be read.
    """
    with temporary_folder(database.folder) as folder:
        path = folder / "frame"
        types: dict[str, str] = {}
        if is_cursor(frame):
            path, shown = folder / RESULT, RESULT
            with sources.blaming(shown, folder):
                types = write_cursor(frame, path)
        elif lines is not None:
            path.write_bytes(lines)
        else:
            _write(database, frame, path, shown)
        with sources.opened(path, messages, database.folder) as source:
            source = replace(source, shown=shown, types=types, unit="row")
            yield path, {path: source}


def _write(database: Database, frame: Frame, path: Path, shown: str) -> None:
    """Write a frame as Parquet; raise NdcgSqlError if DuckDB cannot scan it."""
    frame = _whole(frame)
    # Arrow tables, pandas and polars, and Arrow streams name columns differently.
    schema = getattr(frame, "schema", None)
    columns = getattr(frame, "column_names", getattr(frame, "columns", None))
    columns = getattr(schema, "names", []) if columns is None else columns
    check_distinct(shown, map(str, columns))
    try:
        columnar = _columnar(frame)
        try:
            database.connection.register(_VIEW, columnar)
        except (duckdb.Error, TypeError, ValueError):
            if not hasattr(frame, "reset_index"):
                raise
            # DuckDB does not read arrays of pandas backwards, as in df[::-1].
            database.connection.register(_VIEW, frame.copy())
        sql = f"copy (from {_VIEW}) to $path (format parquet)"
        database.execute(sql, {"path": str(path)})
    except ImportError as error:
        raise NdcgSqlError(
            f"{shown}: DuckDB needs {error.name} to read it: pip install {error.name}"
        ) from error
    except (duckdb.OutOfMemoryException, duckdb.InterruptException, duckdb.IOException):
        raise
    except (duckdb.Error, TypeError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise NdcgSqlError(
            f"{shown}: DuckDB cannot read {type(frame).__name__}: {reason}",
            "give a pandas or polars frame or an Arrow table, whose columns have a text"
            " or a number a row; a run or judgments may also be a dict by query",
        ) from error
    finally:
        database.connection.unregister(_VIEW)


def stored(
    names: list[str], batches: Iterable[Sequence[Sequence[Any]]], shown: str, path: Path
) -> dict[str, str]:
    """Write the rows of a driver as Parquet; return the types that were not text."""
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
    # DuckDB's names differ by more than their case.
    folded = [name.casefold() for name in names]
    unclear = [name for name in names if not name or folded.count(name.casefold()) > 1]
    if unclear:
        what = f"{shown}: not the names of one column each: {listed(unclear)}"
        raise NdcgSqlError(what, "give each column its own name: as NAME")


def is_cursor(value: Any) -> bool:
    """Return whether rows can be fetched from an object."""
    has_names = hasattr(value, "description") or callable(getattr(value, "keys", None))
    return has_names and callable(getattr(value, "fetchmany", None))


def write_cursor(cursor: Any, path: Path) -> dict[str, str]:
    """Write the rows that are left of a cursor, which stays open, as stored does."""
    with _fetching():
        # A cursor has no columns before it is executed, and after an insert.
        names = (
            list(cursor.keys())
            if not hasattr(cursor, "description")
            else [str(column[0]) for column in cursor.description or ()]
        )
    if not names:
        raise NdcgSqlError(f"{RESULT}: no rows; execute a select first")

    def batch() -> list[Any]:
        with _fetching():
            rows: list[Any] = list(cursor.fetchmany(_BATCH))
        is_named = bool(rows) and isinstance(rows[0], Mapping)
        return [[row[name] for name in names] for row in rows] if is_named else rows

    return stored(names, iter(batch, []), RESULT, path)


@contextmanager
def _fetching() -> Generator[None]:
    """Raise whatever a driver raises as an NdcgSqlError."""
    try:
        yield
    except Exception as error:
        cause = getattr(error, "orig", None) or error
        reason = str(cause).strip().partition("\n")[0] or type(cause).__name__
        what = f"{RESULT}: {shortened(reason, _LONGEST_REASON)}"
        raise NdcgSqlError(what) from error
