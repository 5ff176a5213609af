"""A published folder of Parquet files with a manifest, replaced as a whole."""

import ctypes
import hashlib
import json
import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ndcg_sql.database.connections import harmless_path
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing.plan import Part, Plan, Target, condition
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.text import listed, now, sql_text

MANIFEST = "manifest.json"
_FORMAT = "ndcg-sql published folder"
_ROWS = "published_rows"
# The file of a relation without rows.
_NO_ROWS = "none.parquet"
# renameat2() of Linux: relative to the current directory, exchange two names.
_HERE, _EXCHANGE = -100, 2
# How many bytes are read at a time.
_PIECE = 8 * 2**20
_File = dict[str, Any]
_Files = dict[tuple[str, str], _File]


@contextmanager
def opened(target: Path) -> Generator[Target]:
    """Give a folder that is published to; refuse one with others' files."""
    shown = harmless_path(str(target))
    path = Path(os.path.realpath(target))
    try:
        files = _noted(path) if path.exists() and any(path.iterdir()) else {}
        present = {
            file.relative_to(path).as_posix(): file.lstat().st_size
            for file in path.rglob("*")
            if not file.is_dir() or file.is_symlink()
        }
        files = {k: f for k, f in files.items() if present.get(f["path"]) == f["bytes"]}
    except PermissionError as error:
        raise NdcgSqlError(f"{shown}: {error.strerror}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise NdcgSqlError(
            f"{shown}: exists and is not a published folder; name another, or remove it"
        ) from error
    ours = {MANIFEST, *(f"{name}/{_NO_ROWS}" for name in relations())}
    ours |= {file["path"] for file in files.values()}
    if others := present.keys() - ours:
        raise NdcgSqlError(
            f"{shown}: has files that ndcg-sql did not publish, or that were changed"
            f" since ({listed(sorted(others), 3)}); move them, or name another folder"
        )
    held = {key: file["fingerprint"] for key, file in files.items()}
    yield held, partial(_write, path, files)


def _noted(path: Path) -> _Files:
    """Return what a manifest says of the files; raise ValueError if it is not ours."""
    content = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
    if content["format"] != _FORMAT:
        raise ValueError
    return {
        (name, file["part"]): file
        for name, relation in content["relations"].items()
        for file in relation["files"]
    }


def _write(path: Path, files: _Files, database: Database, plan: Plan) -> None:
    """Replace a folder with some files by one in which only what changed is new."""
    with temporary_folder(path.parent) as folder:
        new = folder / "new"
        new.mkdir()
        _fill(new, path, files, database, plan)
        new.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o755)
        _replace(path, new, folder / "old")


def _fill(new: Path, old: Path, files: _Files, database: Database, plan: Plan) -> None:
    intact = {
        key: mark
        for key, mark in plan.fingerprints.items()
        if key in files
        and files[key]["fingerprint"] == mark
        and _digest(old / files[key]["path"]) == files[key]["sha256"]
    }
    described: dict[str, Any] = {}
    for relation, kept, _, changed in plan.changes(intact):
        (new / relation.name).mkdir()
        present = [files[part.relation, part.part] for part in kept]
        for file in present:
            try:
                os.link(old / file["path"], new / file["path"])
            except OSError:
                # Some file systems have no links.
                shutil.copyfile(old / file["path"], new / file["path"])
        if changed or not kept:
            first, *others = plan.selects(relation, changed)
            with database.temporary(_ROWS, first):
                for rows in others:
                    database.execute(f"insert into {_ROWS} {rows}")
                present += [_file(database, relation, part, new) for part in changed]
                if not present:
                    # A reader finds the columns even if there are no rows.
                    _copy(database, _ROWS, new / relation.name / _NO_ROWS)
        described[relation.name] = {
            "comment": relation.comment,
            "columns": [
                {"name": name, "type": kind, "comment": relation.meaning(name)}
                for name, kind in relation.columns.items()
            ],
            "key": list(relation.key),
            "rows": sum(file["rows"] for file in present),
            "files": present,
        }
    manifest = {
        "format": _FORMAT,
        "version": version("ndcg-sql"),
        "warehouse": plan.warehouse.name,
        "published_at": now(),
        "relations": described,
        "left_out": plan.left_out,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (new / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _file(database: Database, relation: Relation, part: Part, new: Path) -> _File:
    words = list(dict.fromkeys(filter(None, (part.dataset, part.part)))) or ["all"]
    # Readers skip files that begin with a dot or a line.
    name = re.sub(r"[^a-z0-9.-]+", "_", ".".join(words).lower()).strip("._-") or "part"
    if name != ".".join(words):
        # Names that differ only in case or other characters need files of their own.
        name = f"{name[:80]}.{hashlib.sha256(repr(words).encode()).hexdigest()[:8]}"
    path = new / relation.name / f"{name}.parquet"
    rows = f"(from {_ROWS} where {condition(relation, [part.part])})"
    return {
        "path": path.relative_to(new).as_posix(),
        "dataset": part.dataset,
        "part": part.part,
        "fingerprint": part.fingerprint,
        "rows": _copy(database, rows, path),
        "bytes": path.stat().st_size,
        "sha256": _digest(path),
    }


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _copy(database: Database, rows: str, path: Path) -> int:
    """Write rows to a Parquet file and return their number."""
    options = "format parquet, compression zstd"
    [(count,)] = database.execute(f"copy {rows} to {sql_text(str(path))} ({options})")
    return count


def _replace(target: Path, new: Path, aside: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    # Readers never find that there is none, where the system can exchange two.
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    paths = (os.fsencode(new), os.fsencode(target))
    if exchange and exchange(_HERE, paths[0], _HERE, paths[1], _EXCHANGE) == 0:
        return
    target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        aside.rename(target)
        raise
