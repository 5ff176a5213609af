"""Frames as they come in: pandas, polars, Arrow, whatever DuckDB scans."""

import math
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from importlib import import_module
from numbers import Real
from pathlib import Path
from typing import Any, cast

import duckdb

from ndcg_sql import files, loading, queries
from ndcg_sql.connections import harmless_path
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.folders import temporary_folder
from ndcg_sql.formats import Reading
from ndcg_sql.loading import POSITION_RULES, Options, Ranked
from ndcg_sql.text import listed, quoted, sql_time
from ndcg_sql.warehouse import Warehouse

Frame = Any
_VIEW = "loaded_frame"


def load(
    warehouse: Warehouse,
    kind: Ranked,
    frame: Frame,
    name: str | None,
    options: Mapping[str, Any],
) -> str:
    """Load a frame, or the file at a path; return what there is to tell.

    options are those of loading.Options, where None stands for none.
    """
    given = {key: value for key, value in options.items() if value is not None}
    if name is None and not isinstance(frame, (str, Path)):
        name = kind
    rule = given.get("position_rule", "score")
    if rule not in POSITION_RULES:
        known = ", ".join(POSITION_RULES)
        raise NdcgSqlError(f"position_rule {rule}: not one of {known}")
    if isinstance(given.get("run_at"), datetime):
        given["run_at"] = sql_time(given["run_at"])
    elif "run_at" in given:
        raise NdcgSqlError(f"run_at {quoted(given['run_at'])}: not a datetime")
    for key in ("columns", "tags"):
        given[key] = _texts(key, given.get(key, {}))
    labels = _mapping("labels", given.get("labels", {}))
    given["labels"] = {label: _grade(label, labels[label]) for label in labels}
    texts = {"name": name, "dataset": given.get("dataset"), "base": given.get("base")}
    for key, text in texts.items():
        if not isinstance(text, (str, type(None))):
            raise NdcgSqlError(f"{key} {text!r}: not text")
    chosen = Options(name=name, **given)
    told: list[str] = []
    with _opened(warehouse, frame, told.append) as (path, streams):
        loading.load(warehouse, kind, [path], chosen, told.append, streams)
    return "\n".join(told)


def load_queries(
    warehouse: Warehouse,
    frame: Frame,
    dataset: str,
    columns: Mapping[str, str] | None,
) -> str:
    """Load a frame of queries, or the file at a path; return what there is to tell."""
    told: list[str] = []
    reading = Reading({} if columns is None else _texts("columns", columns))
    with _opened(warehouse, frame, told.append) as (path, streams):
        queries.load(warehouse, path, dataset, reading, told.append, streams)
    return "\n".join(told)


def _mapping(what: str, given: Any) -> dict[Any, Any]:
    """Return a mapping as a dict; raise NdcgSqlError if it is none."""
    if not isinstance(given, Mapping):
        raise NdcgSqlError(f"{what} {given!r}: not a mapping")
    return dict(cast("Mapping[Any, Any]", given))


def _texts(what: str, given: Any) -> dict[str, str]:
    """Return a mapping of text to text; raise NdcgSqlError if it is none."""
    texts = _mapping(what, given)
    for text in (*texts, *texts.values()):
        if not isinstance(text, str):
            raise NdcgSqlError(f"{what} {given!r}: {text!r} is not text")
    return texts


def _grade(label: object, grade: object) -> float:
    """Return the grade of a label; raise NdcgSqlError if it is no finite number."""
    if not isinstance(label, str):
        raise NdcgSqlError(f"label {label!r}: not text")
    try:
        value = float(grade) if isinstance(grade, Real) else math.nan
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise NdcgSqlError(f"label {quoted(label)}: the grade is not a finite number")
    # Adding 0 turns a negative zero into a plain one.
    return value + 0


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
def _opened(
    warehouse: Warehouse, frame: Frame, tell: Callable[[str], None]
) -> Generator[tuple[Path, files.Streams]]:
    """Give a frame as a file that was opened already; messages call it frame.

    It goes through Parquet, so that its types and rows meet the very checks
    that a file meets. Raises NdcgSqlError if it is nothing that DuckDB scans, or
    the warehouse takes nothing in.
    """
    if warehouse.is_read_only:
        shown = harmless_path(warehouse.path)
        raise NdcgSqlError(
            f"{shown}: open for reading only; open it with Warehouse.write"
        )
    if isinstance(frame, (str, Path)):
        yield Path(frame), {}
        return
    scratch = warehouse.folder
    with temporary_folder(scratch) as folder:
        path = folder / "frame"
        _check_columns(frame)
        try:
            warehouse.connection.register(_VIEW, _columnar(frame))
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
            warehouse.execute(sql, {"path": str(path)})
        except (duckdb.InvalidInputException, duckdb.ConversionException) as error:
            reason = str(error).splitlines()[0]
            raise NdcgSqlError(f"frame: DuckDB cannot read it: {reason}") from error
        finally:
            warehouse.connection.unregister(_VIEW)
        with files.opened(path, tell, scratch) as source:
            yield path, {path: replace(source, shown="frame")}
