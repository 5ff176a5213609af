"""A folder of values that another engine wrote: its manifest and its rows."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.reading.sources import blaming
from ndcg_sql.system import progress
from ndcg_sql.system.paths import shown
from ndcg_sql.text import counted, quoted

_MANIFEST = "manifest.json"
_POSITION_RULES = {"score": "score", "given": "given"}
# The relations that are loaded, with the types that their columns may have.
_TEXT, _WHOLE, _NUMBER = ("VARCHAR",), ("INTEGER", "BIGINT"), ("DOUBLE",)
_COLUMNS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "run_queries": {"run": _TEXT, "query_id": _TEXT, "retrieved": _WHOLE},
    "hits": {
        **{"run": _TEXT, "query_id": _TEXT, "doc_id": _TEXT, "grade": _NUMBER},
        **dict.fromkeys(("position", "tie_first", "tie_last"), _WHOLE),
    },
    "query_values": {
        **{"run": _TEXT, "query_id": _TEXT, "measure": _TEXT, "value": _NUMBER}
    },
}


@dataclass(frozen=True)
class Evaluated:
    """What a manifest says; judgments and rows are counts.

    run_column is None if all rankings were one run, without a name of its own.
    """

    folder: Path
    version: str
    dialect: str
    engine: str
    measures: tuple[str, ...]
    position_rule: str
    run_column: str | None
    judgments: int
    rows: Mapping[str, int]

    @property
    def evaluator(self) -> str:
        """Who evaluated, for a message."""
        return f"{self.engine} (ndcg-sql {self.version})"


def read_manifest(folder: Path) -> Evaluated:
    """Return what a folder holds; raise NdcgSqlError if no engine's values."""
    name = shown(folder)
    if "://" in str(folder) or ":/" in str(folder).partition("/")[0] + "/":
        raise NdcgSqlError(f"{name}: only local folders are read; download it first")
    path = folder / _MANIFEST
    if not path.is_file():
        what = f"no {_MANIFEST}" if folder.is_dir() else "no such folder"
        raise NdcgSqlError(
            f"{name}: {what}; name the folder that ndcg-sql spark --out wrote"
        )
    try:
        with blaming(shown(path), folder):
            found: Any = json.loads(path.read_text(encoding="utf-8"))
        column = found["run_column"]
        return Evaluated(
            folder,
            str(found["version"]),
            str(found["dialect"]),
            str(found["engine"]),
            tuple(str(name) for name in found["measures"]),
            _POSITION_RULES[found["position_rule"]],
            None if column is None else str(column),
            int(found["judgments"]),
            {relation: int(found["rows"][relation]) for relation in _COLUMNS},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise NdcgSqlError(
            f"{shown(path)}: not a manifest of this version; write the folder again"
            " with ndcg-sql spark of this version"
        ) from error


def stage(database: Database, evaluated: Evaluated) -> str:
    """Put the rows into temporary tables, staged_hits and so on; return their hash.

    Raises NdcgSqlError for a file that is missing or damaged.
    """
    hashed = hashlib.sha256()
    for relation, columns in progress.each(list(_COLUMNS.items()), "reading", "tables"):
        folder = evaluated.folder / relation
        files = sorted(folder.glob("*.parquet"))
        for file in files:
            with blaming(shown(file), folder), file.open("rb") as content:
                while piece := content.read(1 << 20):
                    hashed.update(piece)
        _check_columns(folder, files, columns)
        paths = {"paths": [glob_safe(file) for file in files]}
        database.execute(f"drop table if exists temp.staged_{relation}")
        chosen = f"select {', '.join(columns)} from"
        rows = f"{chosen} read_parquet($paths, hive_partitioning = false)"
        database.execute(f"create temp table staged_{relation} as {rows}", paths)
        [(count,)] = database.execute(f"select count(*) from staged_{relation}")
        if count != evaluated.rows[relation]:
            wanted = counted(evaluated.rows[relation], "row")
            raise NdcgSqlError(
                f"{shown(folder)}: {count} of {wanted} are there; copy the folder again"
            )
    return hashed.hexdigest()


def _check_columns(
    folder: Path, files: Sequence[Path], columns: Mapping[str, Sequence[str]]
) -> None:
    """Raise NdcgSqlError unless files are Parquet with some columns."""
    if not files:
        raise NdcgSqlError(f"{shown(folder)}: no Parquet files; copy the folder again")
    for file in files:
        try:
            with in_memory() as connection:
                described = connection.execute(
                    "describe from read_parquet($path, hive_partitioning = false)",
                    {"path": glob_safe(file)},
                ).fetchall()
        except duckdb.Error as error:
            raise NdcgSqlError(
                f"{shown(file)}: a damaged Parquet file; copy the folder again"
            ) from error
        types = {str(name): str(kind) for name, kind, *_ in described}
        for column, kinds in columns.items():
            if types.get(column) not in kinds:
                found = types.get(column, "not there")
                raise NdcgSqlError(
                    f"{shown(file)}: column {quoted(column)} is {found}, not"
                    f" {' or '.join(kinds)}; write the folder again with ndcg-sql spark"
                )
