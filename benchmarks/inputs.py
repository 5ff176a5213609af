"""The files for the benchmarks: computed, and the same on every machine."""

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
    """The shape of a test collection.

    judged is the mean number of judged documents per query, grades the possible
    grades, collection the total number of documents, a prime number.
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


def write_dense_run(path: Path, shape: Shape) -> None:
    """Write the run of a dense retriever, with long ids and scores, as a TREC file."""
    names = ("queries", "documents", "collection")
    _write(path, "dense_run", {name: getattr(shape, name) for name in names})


def write_scores(run: Path, path: Path) -> None:
    """Write the query, document and score of a TREC file as CSV."""
    _write(path, "scores", {"run": str(run)}, "header, quote ''")


def write_packed(path: Path) -> None:
    """Write a gzip copy next to a file, as the program gzip does."""
    packed = path.with_name(path.name + ".gz")
    with (
        path.open("rb") as plain,
        packed.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as file,
    ):
        shutil.copyfileobj(plain, file, 2**20)


def apart(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of work in a process of its own.

    Linux counts the memory of a process for the programs that it starts, so the
    measuring process must stay small.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *args, **kwargs).result()


def _write(
    path: Path,
    rows: str,
    parameters: dict[str, Any],
    form: str = "delimiter ' ', header false, quote ''",
) -> None:
    """Write rows of a query as lines, with fields separated by blanks by default."""
    import duckdb

    sql = (SQL / f"{rows}.sql").read_text()
    copied = f"copy ({sql}) to $path ({form})"
    with duckdb.connect() as connection:
        connection.execute(copied, {**parameters, "path": str(path)})
