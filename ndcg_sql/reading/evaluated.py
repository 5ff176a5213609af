"""A folder of values that another engine wrote: its manifest and its rows."""

import json
import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.checksums import check_pages
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import blaming
from ndcg_sql.reading.staging import is_of_content
from ndcg_sql.system import progress
from ndcg_sql.system.paths import check_local, shown
from ndcg_sql.text import check_name, counted, quoted

_MANIFEST = "manifest.json"
WRITE_AGAIN = "write the folder again with ndcg_sql.spark.evaluate(...).save"
_COPY_AGAIN = "copy the folder again"
# The relations that are loaded, with the types that their columns may have.
_TEXT, _WHOLE, _NUMBER = ("VARCHAR",), ("INTEGER", "BIGINT"), ("DOUBLE",)
_COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "judgments": {"query_id": _TEXT, "doc_id": _TEXT, "grade": _NUMBER},
    "run_queries": {"run": _TEXT, "query_id": _TEXT, "retrieved": _WHOLE},
    "hits": {
        **dict.fromkeys(("run", "query_id", "doc_id"), _TEXT),
        **dict.fromkeys(("position", "tie_first", "tie_last"), _WHOLE),
    },
    "query_values": {
        **dict.fromkeys(("run", "query_id", "measure"), _TEXT),
        "value": _NUMBER,
    },
}


@dataclass(frozen=True)
class Evaluated:
    """What a manifest says; rows are counts.

    run_column is None if all rankings were one run, without a name of its own.
    """

    folder: Path
    version: str
    dialect: str
    engine: str
    measures: tuple[str, ...]
    position_rule: str
    run_column: str | None
    rows: Mapping[str, int]

    @property
    def evaluator(self) -> str:
        """Who evaluated, for a message."""
        return f"{self.engine} (ndcg-sql {self.version})"

    @property
    def place(self) -> Path:
        """The folder with a name of its own, even where it was given as a dot."""
        return Path(os.path.normpath(self.folder.absolute()))


def read_manifest(folder: Path) -> Evaluated:
    """Return what a folder holds; raise NdcgSqlError if no engine's values."""
    name = shown(folder)
    path = folder / _MANIFEST
    if not path.is_file():
        check_local(folder, name)
        what = "a file" if folder.exists() else "no such folder"
        what = f"no {_MANIFEST}" if folder.is_dir() else what
        raise NdcgSqlError(f"{name}: {what}; name the folder that ndcg_sql.spark wrote")
    try:
        with blaming(shown(path), folder):
            manifest: Any = json.loads(path.read_text(encoding="utf-8"))
        texts = ("version", "dialect", "engine", "position_rule")
        version, dialect, engine, rule = (_name(key, manifest[key]) for key in texts)
        column, measures = manifest["run_column"], list(manifest["measures"])
        if rule not in ("score", "given") or not measures:
            raise ValueError
        if column is not None and not isinstance(column, str):
            raise TypeError
        return Evaluated(
            folder,
            version,
            dialect,
            engine,
            tuple(_name("measure", measure) for measure in measures),
            rule,
            column,
            {relation: _count(manifest["rows"][relation]) for relation in _COLUMNS},
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NdcgSqlError(
            f"{shown(path)}: not a manifest of this version; {WRITE_AGAIN}"
        ) from error


def _name(key: str, value: object) -> str:
    """Return an entry that is a name; raise an error that means a bad manifest."""
    if not isinstance(value, str) or check_name(key, value):
        raise TypeError
    # A lone surrogate is no text.
    value.encode()
    return value


def _count(value: object) -> int:
    """Return an entry that is a count; raise an error that means a bad manifest."""
    if type(value) is not int or not 0 <= value < 2**63:
        raise TypeError
    return value


@contextmanager
def staged(database: Database, evaluated: Evaluated) -> Generator[None]:
    """Put the rows into temporary tables, staged_hits and so on, while inside.

    Raises NdcgSqlError for a file that is missing, damaged or changing.
    """
    with ExitStack() as tables:
        for relation in progress.each(list(_COLUMNS), "reading", "tables"):
            folder = evaluated.folder / relation
            files = sorted(folder.glob("*.parquet"))
            _check_names(files)
            if not files:
                raise NdcgSqlError(f"{shown(folder)}: no Parquet files; {_COPY_AGAIN}")
            before = [_state(file) for file in files]
            with _reading(folder):
                tables.enter_context(_staged(database, folder, files))
            if before != [_state(file) for file in files]:
                raise NdcgSqlError(
                    f"{shown(folder)}: changed while being read; load it when it is"
                    " complete"
                )
            sql = f"select count(*) from staged_{relation}"
            [(count,)] = database.execute(sql)
            if count != evaluated.rows[relation]:
                wanted = counted(evaluated.rows[relation], "row")
                raise NdcgSqlError(
                    f"{shown(folder)}: {count} of {wanted} are there; {_COPY_AGAIN}"
                )
        yield


def _staged(
    database: Database, folder: Path, files: Sequence[Path]
) -> AbstractContextManager[None]:
    """Return what puts the rows of files into a temporary table while inside."""
    columns = _COLUMNS[folder.name]
    paths = {"paths": [glob_safe(file) for file in files]}
    rows = "from read_parquet($paths, hive_partitioning = false)"
    described = database.execute(f"describe {rows}", paths)
    types = {str(name): str(kind) for name, kind, *_ in described}
    for column, kinds in columns.items():
        if types.get(column) not in kinds:
            actual = types.get(column, "not there")
            raise NdcgSqlError(
                f"{shown(folder)}: column {quoted(column)} is {actual}, not"
                f" {' or '.join(kinds)}; {WRITE_AGAIN}"
            )
    for file in files:
        check_pages(database.connection, file, shown(file), [*columns], _COPY_AGAIN)
    select = f"select {', '.join(columns)} {rows}"
    return database.temporary(f"staged_{folder.name}", select, paths)


def _check_names(files: Sequence[Path]) -> None:
    """Raise NdcgSqlError if DuckDB cannot be told the name of a file."""
    for file in files:
        try:
            str(file.absolute()).encode()
        except UnicodeEncodeError as error:
            raise NdcgSqlError(
                f"{shown(file)}: a name that is not UTF-8; rename it"
            ) from error


@contextmanager
def _reading(folder: Path) -> Generator[None]:
    """Raise NdcgSqlError for Parquet files that DuckDB cannot read."""
    try:
        yield
    except duckdb.Error as error:
        if not is_of_content(error):
            raise
        raise NdcgSqlError(
            f"{shown(folder)}: a Parquet file is damaged (DuckDB cannot read it);"
            f" {_COPY_AGAIN}"
        ) from error


def _state(file: Path) -> tuple[int, int]:
    """Return what of a file changes with its content."""
    with blaming(shown(file), file.parent):
        status = file.stat()
    return status.st_size, status.st_mtime_ns
