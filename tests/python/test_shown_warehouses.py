"""A warehouse shows where it is and what it holds."""

from pathlib import Path

import pytest

from ndcg_sql import Warehouse
from support.files import QRELS


@pytest.mark.slow
def test_it_shows_its_path_and_its_datasets(tmp_path: Path) -> None:
    path = tmp_path / "shown.duckdb"
    (tmp_path / "qrels.txt").write_text(QRELS)
    warehouse = Warehouse(path)
    assert repr(warehouse) == f"Warehouse({str(path)!r})"
    for dataset in ("search", "shop"):
        warehouse.load_judgments(tmp_path / "qrels.txt", dataset=dataset)
    warehouse.load_run({"q1": ["a"]}, "bm25", dataset="shop")
    shown = [
        f"Warehouse({str(path)!r})",
        "  search: 1 judgment set, 0 runs",
        "  shop: 1 judgment set, 1 run",
    ]
    assert repr(warehouse).splitlines() == shown
    with Warehouse.read(path) as held:
        assert repr(held).splitlines() == shown
    assert repr(held) == f"Warehouse({str(path)!r}), closed"


def test_it_neither_waits_nor_fails(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text("no warehouse")
    assert repr(Warehouse(path)) == f"Warehouse({str(path)!r})"
    with Warehouse.memory() as warehouse:
        assert repr(warehouse).splitlines() == ["Warehouse(':memory:')", "  empty"]
