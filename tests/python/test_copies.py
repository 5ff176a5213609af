"""Results are values: they can be kept, copied and sent to other processes."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ndcg_sql
from ndcg_sql import Evaluation, Figure, GateResult, Result, Warehouse
from support.libraries import library

JUDGED = {f"q{n}": {"a": 2, "b": 1, "c": 0} for n in range(6)}
FIRST = {query: {"b": 2.0, "a": 1.0} for query in JUDGED}
SECOND = {query: {"a": 2.0, "c": 1.0} for query in JUDGED}
# What each method returns.
MADE: dict[str, Callable[[Warehouse], object]] = {
    "loaded": lambda w: w.load_run(SECOND, "third"),
    "fused": lambda w: w.fuse(["first", "second"], "both"),
    "report": lambda w: w.report("nDCG@10"),
    "leaderboard": lambda w: w.leaderboard("nDCG@10 RR"),
    "comparison": lambda w: w.compare("first", "second", "nDCG@10"),
    "gate": lambda w: w.gate("first", "second", "nDCG@10"),
    "explanation": lambda w: w.explain("first", "q1", "nDCG@5"),
    "history": lambda w: w.history("RR"),
    "description": lambda w: w.describe("first"),
    "select": lambda w: w.query("select run, value from run_values"),
    "figure": lambda w: w.plot("differences", "RR", runs=["first", "second"]),
    "evaluation": lambda _: ndcg_sql.evaluate(JUDGED, FIRST, "map", like="pytrec_eval"),
    "comparison in memory": lambda _: ndcg_sql.compare(JUDGED, [FIRST, SECOND], "RR"),
}


def from_file(found: object) -> object:
    """Write an object with joblib, and read it again."""
    joblib: Any = library("joblib")
    joblib.dump(found, "found.joblib", compress=3)
    return joblib.load("found.joblib")


def from_a_process(found: list[object]) -> list[object]:
    """Send an object to another process, which sends its copy back."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(copy.deepcopy, [found])


def pickled(found: object) -> object:
    """Pickle an object, and read it again."""
    return pickle.loads(pickle.dumps(found))


WAYS = (pickled, copy.copy, copy.deepcopy, from_file)


@pytest.fixture
def warehouse(here: Path) -> Iterator[Warehouse]:  # noqa: ARG001
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(JUDGED, "judged")
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
        yield warehouse


def shown(found: object) -> tuple[object, ...]:
    """Return what users see of a result, and its rows."""
    rows: object = None
    if isinstance(found, Result):
        rows = found.to_dicts()
    elif isinstance(found, Figure):
        rows = found.complete()
    elif isinstance(found, Evaluation):
        rows = found.per_query
    in_notebooks = getattr(found, "_repr_html_", lambda: None)()
    return type(found), str(found), repr(found), in_notebooks, rows


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("made", MADE)
def test_a_copy_shows_what_the_result_shows(warehouse: Warehouse, made: str) -> None:
    found = MADE[made](warehouse)
    copies = [way(found) for way in WAYS]
    before = shown(found)
    # What is copied needs neither the warehouse nor the result that it was copied of.
    warehouse.close()
    del found
    for way, again in zip(WAYS, copies, strict=True):
        assert shown(again) == before, way
        # A copy is a result like any other.
        assert shown(pickled(again)) == before, way


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_another_process_returns_the_same(warehouse: Warehouse) -> None:
    found = [made(warehouse) for made in MADE.values()]
    again = from_a_process(found)
    assert [*map(shown, again)] == [*map(shown, found)]
    [gate] = [one for one in again if isinstance(one, GateResult)]
    assert gate.passed is bool(gate)
