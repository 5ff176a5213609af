"""A published folder of Parquet files with a manifest, replaced as a whole."""

import ctypes
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database.connections import harmless_path, is_disk_full, translated
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.publishing import attributes, parts
from ndcg_sql.output.publishing.parts import Compared, Fingerprints, Part, Plan
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.text import listed, now, sql_name, sql_text

MANIFEST = "manifest.json"
_FORMAT = "ndcg-sql published folder"
_ROWS = "published_rows"
# The file of a relation without rows.
_NO_ROWS = "none.parquet"
# What the manifest says of a file.
_KEPT = ("path", "dataset", "part", "fingerprint", "rows", "bytes", "sha256")
# renameat2() of Linux: relative to the current directory, exchange two names.
_HERE, _EXCHANGE = -100, 2
# How many bytes are read at a time.
_PIECE = 8 * 2**20
_File = dict[str, Any]


def publish(
    opened: Callable[[bool], Database], target: Path, compared: Compared
) -> Plan | None:
    """Write the public relations to a folder that replaces the target.

    Returns what was published, or None if the target has all of it already.
    Each file holds the rows of one run, set or dataset; the manifest lists them.
    Raises NdcgSqlError, and leaves the target unchanged, if it is neither empty
    nor published.
    """
    shown = harmless_path(str(target))
    final = Path(os.path.realpath(target))
    old = _old_files(final, shown)
    fingerprints: Fingerprints = {key: file["fingerprint"] for key, file in old.items()}
    _check_nothing_else(final, old, shown)
    with opened(False) as database:
        if fingerprints and fingerprints == parts.plan(database, compared).fingerprints:
            return None
    try:
        with temporary_folder(final.parent) as folder, opened(True) as database:
            new = folder / "new"
            new.mkdir()
            plan = _write(database, new, final, old, compared)
            new.chmod(final.stat().st_mode & 0o777 if final.exists() else 0o755)
            _replace(final, new, folder / "old")
            return plan
    except OSError as error:
        raise NdcgSqlError(f"{shown}: {error.strerror}") from error
    except duckdb.Error as error:
        if is_disk_full(error):
            raise translated(error, str(target)) from error
        raise


def _old_files(target: Path, shown: str) -> dict[tuple[str, str], _File]:
    if not target.exists():
        if not target.parent.is_dir():
            raise NdcgSqlError(f"{shown}: the directory does not exist")
        return {}
    foreign = NdcgSqlError(
        f"{shown}: exists and is not a published folder; name another, or remove it"
    )
    if not target.is_dir():
        raise NdcgSqlError(
            f"{shown}: a file is there, not a folder; name another, or remove it"
        )
    manifest = target / MANIFEST
    try:
        if not any(target.iterdir()):
            return {}
        content = json.loads(manifest.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            raise foreign
        files = {
            (name, file["part"]): {key: file[key] for key in _KEPT}
            for name, relation in content["relations"].items()
            for file in relation["files"]
        }
    except PermissionError as error:
        raise NdcgSqlError(f"{shown}: {error.strerror}") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise foreign from error
    return {
        key: file
        for key, file in files.items()
        if (target / file["path"]).is_file()
        and (target / file["path"]).stat().st_size == file["bytes"]
    }


def _check_nothing_else(
    target: Path, files: dict[tuple[str, str], _File], shown: str
) -> None:
    ours = {MANIFEST, *(file["path"] for file in files.values())}
    ours |= {f"{name}/{_NO_ROWS}" for name in attributes.publishable()}
    others = [
        name
        for path in sorted(target.rglob("*"))
        if not path.is_dir() or path.is_symlink()
        if (name := path.relative_to(target).as_posix()) not in ours
    ]
    if others:
        raise NdcgSqlError(
            f"{shown}: has files that ndcg-sql did not publish, or that were changed"
            f" since ({listed(others, 3)}); move them, or name another folder"
        )


def _write(
    database: Database,
    new: Path,
    old: Path,
    files: dict[tuple[str, str], _File],
    compared: Compared,
) -> Plan:
    plan = parts.plan(database, compared)
    described: dict[str, Any] = {}
    for relation in plan.relations():
        folder = new / relation.name
        folder.mkdir()
        written = _reused(plan.of(relation), folder, old, files)
        changed = [part for part in plan.of(relation) if part.key not in written]
        with database.temporary(_ROWS, _none(relation)):
            for select in parts.selects(database, plan, relation, changed):
                database.execute(f"insert into {_ROWS} {select}")
            for part in changed:
                written[part.key] = _write_part(database, relation, part, new)
        if not written:
            # A reader finds the columns even if there are no rows.
            with database.temporary(_ROWS, _none(relation)):
                _copy_rows(database, _ROWS, folder / _NO_ROWS)
        described[relation.name] = {
            "comment": relation.comment,
            "columns": [
                {"name": name, "type": kind, "comment": relation.meaning(name)}
                for name, kind in relation.columns.items()
            ],
            "key": list(relation.key),
            "rows": sum(file["rows"] for file in written.values()),
            "files": list(written.values()),
        }
    manifest = {
        "format": _FORMAT,
        "version": version("ndcg-sql"),
        "warehouse": Path(database.path).name,
        "published_at": now(),
        "relations": described,
        "left_out": plan.left_out,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    (new / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return plan


def _reused(
    wanted: list[Part], folder: Path, old: Path, files: dict[tuple[str, str], _File]
) -> dict[tuple[str, str], _File]:
    reused: dict[tuple[str, str], _File] = {}
    for part in wanted:
        file = files.get(part.key)
        if file is None or file["fingerprint"] != part.fingerprint:
            continue
        path = old / part.relation / Path(file["path"]).name
        if _digest(path) == file["sha256"]:
            try:
                os.link(path, folder / path.name)
            except OSError:
                # Some file systems have no links.
                shutil.copyfile(path, folder / path.name)
            reused[part.key] = file
    return reused


def _write_part(database: Database, relation: Relation, part: Part, new: Path) -> _File:
    which = parts.condition(relation, [part])
    names = list(dict.fromkeys(filter(None, (part.dataset, part.part)))) or ["all"]
    # Readers skip files that begin with a dot or a line.
    name = re.sub(r"[^a-z0-9.-]+", "_", ".".join(names).lower()).strip("._-") or "part"
    if name != ".".join(names):
        # Names that differ only in case or other characters need files of their own.
        name = f"{name[:80]}.{hashlib.sha256(repr(names).encode()).hexdigest()[:8]}"
    path = new / relation.name / f"{name}.parquet"
    _copy_rows(database, f"(from {_ROWS} where {which})", path)
    rows = database.execute(f"select count(*) from {_ROWS} where {which}")[0][0]
    return {
        "path": path.relative_to(new).as_posix(),
        "dataset": part.dataset,
        "part": part.part,
        "fingerprint": part.fingerprint,
        "rows": rows,
        "bytes": path.stat().st_size,
        "sha256": _digest(path),
    }


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _none(relation: Relation) -> str:
    columns = (
        f"cast(null as {kind}) as {sql_name(name)}"
        for name, kind in relation.columns.items()
    )
    return f"select {', '.join(columns)} limit 0"


def _copy_rows(database: Database, rows: str, path: Path) -> None:
    options = "format parquet, compression zstd"
    database.execute(f"copy {rows} to {sql_text(str(path))} ({options})")


def _replace(target: Path, new: Path, aside: Path) -> None:
    if not target.exists():
        new.rename(target)
        return
    # Readers never find that there is none, where the system can exchange two.
    exchange = getattr(ctypes.CDLL(None), "renameat2", None)
    names = (os.fsencode(new), os.fsencode(target))
    if exchange and exchange(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0:
        return
    target.rename(aside)
    try:
        new.rename(target)
    except BaseException:
        aside.rename(target)
        raise
