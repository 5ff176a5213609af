"""A warehouse for the gate, with runs that fail and runs that pass."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.python.warehouse import Warehouse
from support.files import write_judgments
from support.gates import QUERIES

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


@pytest.fixture(scope="module")
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


@pytest.fixture(scope="module")
def kept_open(gated_file: Path) -> Iterator[Path]:
    """Keep that warehouse open for the commands that only read it."""
    with opening.hold(gated_file):
        yield gated_file


@pytest.fixture
def gated(here: Path, kept_open: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have commands find that warehouse; return the folder in which they run."""
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", str(kept_open))
    return here
