"""Frames as input: pandas, polars, Arrow, anything that DuckDB scans."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database.connections import harmless_path
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import check_distinct
from ndcg_sql.reading.received import RESULT, is_cursor, write_cursor
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Messages

Frame = Any
_VIEW = "loaded_frame"


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


def _register(database: Database, frame: Frame) -> None:
    """Make a frame a view; raise an error of DuckDB's client if it is none."""
    columnar = _columnar(frame)
    try:
        database.connection.register(_VIEW, columnar)
    except (duckdb.Error, TypeError, ValueError):
        if not hasattr(frame, "reset_index"):
            raise
        # DuckDB does not read arrays of pandas backwards, as in df[::-1].
        database.connection.register(_VIEW, frame.copy())


def check_writable(database: Database) -> None:
    """Raise NdcgSqlError if a warehouse is read-only."""
    if database.is_read_only:
        shown = harmless_path(database.path)
        raise NdcgSqlError(f"{shown}: opened read-only; open it with Warehouse.write")


def check_other(database: Database, path: Path) -> None:
    """Raise NdcgSqlError if a file is the warehouse itself.

    To open and close the file that this process has locked would unlock it.
    """
    if path.exists() and database.path != ":memory:" and path.samefile(database.path):
        name = harmless_path(str(path))
        raise NdcgSqlError(f"{name}: the warehouse itself; name another file")


@contextmanager
def opened(
    database: Database, frame: Frame, messages: Messages, shown: str = "frame"
) -> Generator[tuple[Path, sources.Streams]]:
    """Give a frame as a file that is already open; messages name it as shown.

    It may also be a result to be fetched. It is written as Parquet, so that its types
    and rows pass the same checks as a file. Raises NdcgSqlError if it cannot be read.
    """
    with temporary_folder(database.folder) as folder:
        path = folder / "frame"
        types: dict[str, str] = {}
        if is_cursor(frame):
            path, shown = folder / RESULT, RESULT
            with sources.blaming(shown, folder):
                types = write_cursor(frame, path)
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
        _register(database, frame)
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
            " or a number a row, or a dict by query",
        ) from error
    finally:
        database.connection.unregister(_VIEW)
