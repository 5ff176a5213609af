"""Each view over all that a warehouse has gives the rows that are stored."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from ndcg_sql import Warehouse
from support.twins import DATASETS, MEASURES, QUERIES, graded, ranked


@pytest.mark.parametrize(
    ("table", "view"),
    [
        ("hits", "computed_hits"),
        ("evaluations", "computed_evaluations"),
        ("ideal_sums", "computed_ideal_sums"),
        ("stored_values", "computed_values"),
    ],
)
def test_the_rows_of_a_view_are_those_stored(
    two_of_everything: Warehouse, table: str, view: str
) -> None:
    connection = two_of_everything.connection
    for left, right in ((table, view), (view, table)):
        differing = f"select * from store.{left} except select * from store.{right}"
        assert connection.sql(differing).fetchall() == []
    rows, same = (
        connection.sql(f"select count(*) from store.{name}").fetchall()
        for name in (table, view)
    )
    assert rows == same > [(0,)]


@pytest.fixture(scope="module")
def two_of_everything(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    """Give two datasets that share all ids, each with two runs and judgment sets."""
    random = Random(5)
    path = tmp_path_factory.mktemp("views") / "ndcg.duckdb"
    with Warehouse.write(path) as warehouse:
        warehouse.add_measures(MEASURES[:2])
        for dataset, name in product(DATASETS, "ab"):
            warehouse.load_judgments(graded(random, QUERIES), name, dataset=dataset)
            warehouse.load_run(ranked(random, QUERIES), name, dataset=dataset)
        for dataset, name in product(DATASETS, "ab"):
            warehouse.evaluate(judgments=name, dataset=dataset)
        yield warehouse
