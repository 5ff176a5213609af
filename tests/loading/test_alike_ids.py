"""Ids of a dataset that are nearly the same, whatever is loaded first."""

from collections.abc import Callable
from typing import Any

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.libraries import library

Load = Callable[[Warehouse, str], tuple[str, ...]]


def _frame(column: str, id_: str) -> Any:
    return library("polars").DataFrame({column: [id_], "text": ["a"]})


LOADS: dict[str, Load] = {
    "run": lambda own, id_: own.load_run({id_: {"d": 1.0}}, id_).warnings,
    "judgments": lambda own, id_: own.load_judgments({id_: {"d": 1}}, id_).warnings,
    "queries": lambda own, id_: own.load_queries(_frame("query_id", id_)).warnings,
    "documents": lambda own, id_: own.load_documents(_frame("doc_id", id_)).warnings,
    "judged": lambda own, id_: own.load_judgments({"q": {id_: 1}}, id_).warnings,
}
OF = {"queries": ("run", "judgments", "queries"), "documents": ("documents", "judged")}
ORDERS = [(n, one, two) for n in OF for one in OF[n] for two in OF[n]]
PAIRS = [("Ab c", "ab  C"), ("1", "1.0")]


@pytest.mark.parametrize(("noun", "first", "second"), ORDERS)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_pair_is_named(
    noun: str, first: str, second: str, one: str, other: str
) -> None:
    told = (
        f'{noun} "{min(one, other)}" and "{max(one, other)}" of dataset "default" have'
        " nearly the same id"
    )
    if {first, second} == {"run", "judgments"}:
        told = "its judgments have no query in common; for example, the run has"
    with Warehouse.memory() as own:
        assert not any("nearly" in line for line in LOADS[first](own, one))
        assert sum(told in line for line in LOADS[second](own, other)) == 1
        # The pair was there before: once is enough.
        assert not any("nearly" in line for line in LOADS[second](own, one))


def test_pairs_within_a_file_are_counted_and_refused_if_strict() -> None:
    run = {id_: {"d": 1.0} for id_ in ("a", "A", "b", "B", "c")}
    told = (
        'queries "A" and "a" of dataset "default" have nearly the same id; likewise 1'
        " other"
    )
    with Warehouse.memory() as own:
        with pytest.raises(NdcgSqlError, match=told):
            own.load_run(run, "r", strict=True)
        assert own.load_run(run, "r").warnings == (told,)
        assert own.load_run(run, "again").warnings == ()
        # Datasets have queries of their own.
        assert own.load_run({"B ": {"d": 1.0}}, "r", dataset="other").warnings == ()
        with pytest.raises(NdcgSqlError, match='"B" and "b "'):
            own.load_queries(_frame("query_id", "b "), strict=True)
        assert own.connection.execute("from queries where text = 'a'").fetchall() == []
