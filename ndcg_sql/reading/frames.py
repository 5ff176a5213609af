"""Frames as they come in: pandas, polars, Arrow, whatever DuckDB scans."""

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
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed

Frame = Any
_VIEW = "loaded_frame"


def _check_columns(frame: Frame) -> None:
    """Raise NdcgSqlError if a frame has two columns of one name."""
    # What they are called in Arrow, in pandas and polars, in a stream of Arrow.
    schema = getattr(frame, "schema", None)
    found = getattr(frame, "column_names", getattr(frame, "columns", None))
    found = getattr(schema, "names", []) if found is None else found
    names = [str(name) for name in found]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise NdcgSqlError(f"frame: several columns are called {listed(twice)}")


def _columnar(frame: Frame) -> Frame:
    """Return a frame of pandas whose text is Arrow's already as an Arrow table.

    DuckDB 1.5 would make an object of Python of every value (four times the
    work). Of columns of objects it knows more kinds than Arrow does.
    """
    dtypes = list(getattr(frame, "dtypes", ()))
    is_arrow = any(getattr(dtype, "storage", "") == "pyarrow" for dtype in dtypes)
    if not is_arrow or "object" in map(str, dtypes):
        return frame
    return import_module("pyarrow").Table.from_pandas(frame, preserve_index=False)


@contextmanager
def opened(
    database: Database, frame: Frame, messages: Messages
) -> Generator[tuple[Path, sources.Streams]]:
    """Give a frame as a file that was opened already; messages call it frame.

    It goes through Parquet, so that its types and rows meet the very checks
    that a file meets. Raises NdcgSqlError if it is nothing that DuckDB scans, or
    the warehouse takes nothing in.
    """
    if database.is_read_only:
        shown = harmless_path(database.path)
        raise NdcgSqlError(
            f"{shown}: open for reading only; open it with Warehouse.write"
        )
    if isinstance(frame, (str, Path)):
        yield Path(frame), {}
        return
    scratch = database.folder
    with temporary_folder(scratch) as folder:
        path = folder / "frame"
        _check_columns(frame)
        try:
            database.connection.register(_VIEW, _columnar(frame))
        except ImportError as error:
            raise NdcgSqlError(
                f"frame: DuckDB reads it by way of {error.name}: pip install"
                f" {error.name}"
            ) from error
        except (duckdb.Error, TypeError, ValueError) as error:
            raise NdcgSqlError(
                f"frame: {type(frame).__name__} is neither a pandas or polars frame nor"
                " an Arrow table"
            ) from error
        try:
            sql = f"copy (from {_VIEW}) to $path (format parquet)"
            database.execute(sql, {"path": str(path)})
        except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
            reason = str(error).splitlines()[0]
            raise NdcgSqlError(f"frame: DuckDB cannot read it: {reason}") from error
        finally:
            database.connection.unregister(_VIEW)
        with sources.opened(path, messages, scratch) as source:
            yield path, {path: replace(source, shown="frame")}
