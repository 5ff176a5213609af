"""Warehouses of runs: some that a gate lets pass or not, and some of any quality."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Reading
from support.files import write_judgments
from support.gates import QUERIES, store_noisy_runs

# The run "base" finds the one relevant document of each query at once. Others
# put it lower: by one place for all, for two queries, or for one segment.
LOWER: dict[str, Callable[[int], bool]] = {
    "base": lambda _: False,
    "same": lambda _: False,
    "lower": lambda i: i % 2 == 0,
    "slip": lambda i: i == 3,
    "mobile": lambda i: i < 10,
    "every": lambda _: True,
}


@pytest.fixture(scope="session")
def gated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse with runs that fail and runs that pass."""
    folder = tmp_path_factory.mktemp("gated")
    lines = [
        f"{q},{'mobile' if i < 10 else 'desktop'},{i // 20}"
        for i, q in enumerate(QUERIES)
    ]
    (folder / "queries.csv").write_text("\n".join(["query_id,segment,half", *lines]))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        for name, is_lower in LOWER.items():
            ranked = {
                q: {"a": 1.0, "x": 2.0 if is_lower(i) else 0.0}
                for i, q in enumerate(QUERIES)
            }
            warehouse.load_run(ranked, name)
        # Loaded last, they are evaluated with all runs at once.
        qrels = write_judgments(folder / "qrels", {q: {"a": 1.0} for q in QUERIES})
        warehouse.load_judgments(qrels)
        warehouse.load_queries(folder / "queries.csv")
    return folder / "ndcg.duckdb"


@pytest.fixture
def gated(here: Path, gated_file: Path, reading: Reading) -> Path:
    """Have commands find that warehouse; return the folder in which they run."""
    reading(gated_file)
    return here


@pytest.fixture(scope="session")
def runs_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse of a run and a copy, a better, a much worse and a good one."""
    path = tmp_path_factory.mktemp("runs") / "ndcg.duckdb"
    store_noisy_runs(path)
    return path


@pytest.fixture
def runs(here: Path, runs_file: Path, reading: Reading) -> None:  # noqa: ARG001
    """Have commands find that warehouse."""
    reading(runs_file)
