"""Small files to load, and what a warehouse file holds afterwards."""

import hashlib
import json
import os
import re
import sys
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import duckdb

from ndcg_sql.database import sql_files

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Grades and scores by query and document.
Judged = Mapping[str, Mapping[str, float]]
Ranked = Mapping[str, Mapping[str, float]]
Rows = list[tuple[Any, ...]]

# Two queries, of which the run answers one; q3 is answered but not judged.
QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 u 3 1 t\nq3 Q0 a 1 1 t\n"


def write_judgments(path: Path, judged: Judged) -> Path:
    """Write judgments as a TREC file."""
    lines = [f"{q} 0 {d} {g!r}" for q, ds in judged.items() for d, g in ds.items()]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def noisy(random: Random, judged: Judged, noise: float) -> dict[str, dict[str, float]]:
    """Return a run that ranks by grade, except for noise of this deviation."""
    return {
        q: {d: grade + random.gauss(0, noise) for d, grade in grades.items()}
        for q, grades in judged.items()
    }


def write_run(path: Path, ranked: Ranked) -> Path:
    """Write a run as a TREC file; the ranks in it are wrong on purpose."""
    lines = [f"{q} Q0 {d} 0 {s!r} t" for q, ds in ranked.items() for d, s in ds.items()]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def json_lines(items: Iterable[object]) -> str:
    """Return JSON, an item a line."""
    return "".join(json.dumps(item) + "\n" for item in items)


def packed(data: bytes, checksum: bool = True) -> bytes:
    """Return a zstd frame, with a checksum as the program zstd writes it."""
    options: dict[int, int] = {zstd.CompressionParameter.checksum_flag: checksum}
    return zstd.compress(data, options=options)


def pipe(pieces: Iterable[bytes]) -> Path:
    """Return a path at which pieces arrive, one after another, from a thread."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as file:
            for piece in pieces:
                file.write(piece)

    threading.Thread(target=write).start()
    return Path(f"/dev/fd/{reading}")


def digest(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def in_folder(folder: Path) -> list[str]:
    """Return the names of all that is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def made_tables() -> set[str]:
    """Return the names of the tables that the migrations make, and of their record."""
    text = "\n".join(sql_files.migrations().values())
    return {"sql_files", *re.findall(r"(?m)^create table (\w+)", text)}


def tables(path: Path) -> dict[str, Rows]:
    """Return every row of every table of a warehouse file."""
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("set schema = 'store'")
        sql = "select table_name from duckdb_tables() where not temporary"
        names: list[str] = [row[0] for row in connection.execute(sql).fetchall()]
        return {
            name: sorted(connection.execute(f"from {name}").fetchall(), key=repr)
            for name in sorted(names)
        }


def stored(sql: str, path: str | Path = "ndcg.duckdb") -> Rows:
    """Return rows of the tables of a warehouse, which are in the schema store."""
    with duckdb.connect(str(path), read_only=True) as connection:
        connection.execute("set schema = 'store'")
        return connection.execute(sql).fetchall()


def shown(sql: str, path: str | Path = "ndcg.duckdb") -> Rows:
    """Return rows as any client of DuckDB sees them: the public relations."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def change(path: Path, *statements: str) -> None:
    """Execute statements on a file as any client of DuckDB could."""
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
