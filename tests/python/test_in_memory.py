"""Evaluation in memory: what it takes, what it gives, and what it leaves behind."""

import doctest
import gc
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import ndcg_sql
from support.libraries import library
from support.scripts import scripted

# Most runs here answer fewer queries than are judged, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* judged quer.* without an answer")

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RANKED = {"q1": {"b": 2.0, "a": 1.0, "x": 0.5}}


@pytest.mark.slow
def test_the_examples_of_the_docstrings_are_right() -> None:
    tested = doctest.testmod(import_module("ndcg_sql.python.in_memory"))
    assert tested.attempted > 0
    assert tested.failed == 0


@pytest.mark.slow
def test_a_hundred_calls_leave_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    # The system's folder is used by other tests at the same time.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def used() -> tuple[int, int, int]:
        gc.collect()
        files = len(list(Path("/proc/self/fd").iterdir()))
        folders = len(list(tmp_path.iterdir()))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, files, folders

    for _ in range(20):
        ndcg_sql.evaluate(JUDGED, RANKED)
    before = used()
    for _ in range(100):
        ndcg_sql.evaluate(JUDGED, RANKED)
    after = used()
    # In kilobytes: a call that kept its database would leave megabytes.
    assert after[0] - before[0] < 40_000
    assert after[1] <= before[1]
    # The database that the thread keeps may have one here.
    assert after[2] == before[2] <= 1


@pytest.mark.slow
@pytest.mark.parametrize("judged", [{"a": 1, "b": 0}, {"a": 0, "b": 1}])
def test_ties_that_ir_measures_orders_otherwise_are_told(
    judged: dict[str, int],
) -> None:
    ir_measures: Any = library("ir_measures")
    judgments, tied = {"q": judged}, {"q": {"a": 1.0, "b": 1.0}}
    with pytest.warns(UserWarning, match="RR@k orders tied documents by ascending id"):
        found = ndcg_sql.evaluate(judgments, tied, "RR@5", like="ir_measures")
    theirs = ir_measures.calc_aggregate([ir_measures.RR @ 5], judgments, tied)
    assert {found["RR@5"]} | {*theirs.values()} == {0.5, 1.0}
    # Without a cutoff, or without ties, there is nothing to tell.
    ndcg_sql.evaluate(judgments, tied, "RR", like="ir_measures")
    parted = {"q": {"a": 1.0, "b": 2.0}}
    found = ndcg_sql.evaluate(judgments, parted, "RR@5", like="ir_measures")
    theirs = ir_measures.calc_aggregate([ir_measures.RR @ 5], judgments, parted)
    assert [*found.values()] == [*theirs.values()]


@pytest.mark.slow
def test_a_warning_names_the_line_that_asked() -> None:
    for ask in (
        lambda: ndcg_sql.evaluate({"001": {"a": 1}}, {"1": {"a": 1.0}}, "RR"),
        lambda: ndcg_sql.compare(JUDGED, [RANKED, RANKED], "RR"),
    ):
        with pytest.warns(UserWarning, match=r"in common|an answer") as told:
            ask()
        assert {warning.filename for warning in told} == {__file__}


TWICE = {"query_id": ["q", "q"], "doc_id": ["a", "a"], "score": [2.0, 1.0]}
VERSIONS = {
    "query_id": [*"qqrr"],
    "doc_id": [*"aaaa"],
    "grade": [1, 2, 1, 2],
    "version": [1, 2, 1, 2],
}
FULL = RANKED | {"q2": {"c": 1.0}}


def frame() -> Any:
    """Return the run as a frame."""
    rows = [(q, d, s) for q, own in RANKED.items() for d, s in own.items()]
    return library("pandas").DataFrame(rows, columns=["query_id", "doc_id", "score"])


def arrow() -> Any:
    """Return the run as a table of Arrow."""
    return library("pyarrow").Table.from_pandas(frame())


def ranx_run(name: str) -> Any:
    """Return a run of ranx."""
    return library("ranx").Run(FULL, name=name)


def ranked_file(name: str) -> None:
    """Write a run of ten queries, whose ranks are the opposite of its scores."""
    rows = [f"q{n},d{rank},{rank},0.{rank}" for n in range(10) for rank in (1, 2, 3)]
    Path(name).write_text("\n".join(["query_id,doc_id,rank,score", *rows, ""]))


pandas: Any = library("pandas")
test_script = scripted(
    __file__,
    *(frame, arrow, ranx_run, ranked_file, ndcg_sql.Warehouse),
    **{"JUDGED": JUDGED, "RANKED": RANKED, "FULL": FULL},
    **{"TWICE": pandas.DataFrame(TWICE), "VERSIONS": pandas.DataFrame(VERSIONS)},
)
