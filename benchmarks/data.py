"""The files that are measured: seeded by arithmetic, the same on every machine."""

import gzip
import shutil
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

SQL = Path(__file__).parent / "sql"


@dataclass(frozen=True)
class Shape:
    """What a test collection is like.

    judged is how many documents of a query are judged (1.07: now and then a
    second one), grades what a judge draws from, collection how many documents
    there are in all, a prime number.
    """

    queries: int
    documents: int
    judged: float
    grades: tuple[int, ...]
    collection: int
    long_ids: bool = False


def write_judgments(path: Path, shape: Shape) -> None:
    """Write judgments as a TREC file."""
    _write(path, "judgments", asdict(shape))


def write_run(path: Path, shape: Shape, run: int = 1) -> None:
    """Write the n-th run as a TREC file."""
    parameters = {**asdict(shape), "run": run}
    for unused in ("judged", "grades"):
        del parameters[unused]
    _write(path, "run", parameters)


def write_packed(path: Path) -> None:
    """Write a gzip copy of a file beside it, as the program gzip does."""
    packed = path.with_name(path.name + ".gz")
    with (
        path.open("rb") as plain,
        packed.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as file,
    ):
        shutil.copyfileobj(plain, file, 2**20)


def apart(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return what work gives in a process of its own.

    Linux counts the memory of a process for the programs that it starts; so
    the one that measures stays small.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()


def _write(path: Path, rows: str, parameters: dict[str, Any]) -> None:
    """Write rows of a query as lines with a blank between the fields."""
    import duckdb

    sql = (SQL / f"{rows}.sql").read_text()
    copied = f"copy ({sql}) to $path (delimiter ' ', header false, quote '')"
    with duckdb.connect() as connection:
        connection.execute(copied, {**parameters, "path": str(path)})
