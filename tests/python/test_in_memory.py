"""Evaluation in memory: what it takes, what it gives, and what it leaves behind."""

import doctest
import gc
import re
import tempfile
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import ndcg_sql
from ndcg_sql import NdcgSqlError
from support.libraries import library

# Most runs here answer fewer queries than are judged, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* judged quer.* without an answer")

JUDGED = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}}
RANKED = {"q1": {"b": 2.0, "a": 1.0, "x": 0.5}}


@pytest.mark.slow
def test_values_are_found_under_any_name_of_a_measure() -> None:
    found = ndcg_sql.evaluate(JUDGED, RANKED, "ndcg_cut.10 RR")
    assert list(found) == ["nDCG@10", "RR"]
    assert found["nDCG@10"] == found["ndcg_cut_10"] == found["ndcg_cut.10"]
    # Of two queries, one has no answer and counts 0.
    assert found["RR"] == 0.5
    assert "AP" not in found
    assert repr(found) == (
        f"nDCG@10  {found['nDCG@10']:.4f}\nRR       0.5000\nqueries 2, unanswered 1"
    )
    assert found.per_query[-1] == ("q2", "RR", 0.0)


@pytest.mark.slow
def test_every_kind_of_input_gives_the_same(tmp_path: Path) -> None:
    pd: Any = library("pandas")
    pa: Any = library("pyarrow")
    judged = [(q, d, g) for q, own in JUDGED.items() for d, g in own.items()]
    ranked = [(q, d, s) for q, own in RANKED.items() for d, s in own.items()]
    frame = pd.DataFrame(ranked, columns=["query_id", "doc_id", "score"])
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in judged))
    (tmp_path / "run").write_text(
        "".join(f"{q} Q0 {d} 1 {s} r\n" for q, d, s in ranked)
    )
    expected = dict(ndcg_sql.evaluate(JUDGED, RANKED))
    for judgments, run in (
        (JUDGED, frame),
        (JUDGED, pa.Table.from_pandas(frame)),
        (tmp_path / "qrels", tmp_path / "run"),
    ):
        assert dict(ndcg_sql.evaluate(judgments, run)) == expected


def test_labels_become_grades() -> None:
    """What a message about words advises is taken, by evaluate and compare."""
    judged = {"q1": {"a": "Exact", "b": "Partial"}, "q2": {"c": "Exact"}}
    with pytest.raises(NdcgSqlError, match=r'labels=\{"Exact": GRADE'):
        ndcg_sql.evaluate(judged, RANKED, "nDCG@10")
    labels = {"Exact": 2.0, "Partial": 1.0}
    values = ndcg_sql.evaluate(judged, RANKED, "nDCG@10", labels=labels)
    expected = ndcg_sql.evaluate({**JUDGED, "q2": {"c": 2}}, RANKED, "nDCG@10")
    assert dict(values) == dict(expected)
    other = {"q1": {"b": 1.0, "a": 2.0}, "q2": {"c": 1.0}}
    full = {**RANKED, "q2": {"c": 1.0}}
    with pytest.warns(UserWarning, match="83%; unjudged ones count as not relevant"):
        [row] = ndcg_sql.compare(judged, [full, other], "nDCG@10", labels=labels)
    assert row["candidate_value"] == 1


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
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_mean_of_nothing_is_shown_as_nothing() -> None:
    found = ndcg_sql.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "nDCG(no_rel='omit')@10")
    assert repr(found) == "nDCG(no_rel='omit')@10"


@pytest.mark.slow
def test_what_the_command_line_warns_of_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="no query in common; for example") as told:
        ndcg_sql.evaluate({"001": {"a": 1}}, {"1": {"a": 1.0}}, "RR")
    assert told[0].filename == __file__
    judged = {name: {"a": 1} for name in ("01", "02", "x")}
    ranked = {name: {"a": 1} for name in ("1", "2", "x")}
    with pytest.warns(UserWarning, match='the run has "1", the judgments have "01"'):
        ndcg_sql.evaluate(judged, ranked, "RR")
    with pytest.warns(UserWarning, match="the highest grade is 0.5; a lower threshold"):
        ndcg_sql.evaluate({"q": {"a": 0.5}}, {"q": {"a": 1.0}}, "RR")
    with pytest.warns(UserWarning, match="1 judged query without an answer") as told:
        ndcg_sql.compare(JUDGED, [RANKED, RANKED], "RR")
    assert {warning.filename for warning in told} == {__file__}


def _ranked_file(folder: Path, scores: list[float]) -> Path:
    """Return a file of ten queries, whose ranks are in the order of these scores."""
    rows = [
        f"q{query},d{rank},{rank},{score}"
        for query in range(10)
        for rank, score in enumerate(scores, start=1)
    ]
    path = folder / "run.csv"
    path.write_text("\n".join(["query_id,doc_id,rank,score", *rows, ""]))
    return path


def test_ranks_against_scores_are_told_as_in_a_warehouse(tmp_path: Path) -> None:
    run = _ranked_file(tmp_path, [0.1, 0.2, 0.3])
    judged = {f"q{query}": {"d1": 1} for query in range(10)}
    told = (
        f"{run}: the ranks are the opposite of the scores in all 10 queries; are low"
        " scores the best, such as distances?; positions are by score; to use the"
        ' ranks: position_rule="given"; to leave this unsaid: position_rule="score"'
    )
    with pytest.warns(UserWarning, match=re.escape(told)):
        assert ndcg_sql.evaluate(judged, run, "RR")["RR"] < 1
    found = ndcg_sql.evaluate(judged, run, "RR", position_rule="given")
    assert found["RR"] == 1


def test_judged_queries_without_an_answer_are_told() -> None:
    judged = {f"q{n}": {"a": 1} for n in range(3)}
    ranked = {"q0": {"a": 1.0}}
    with pytest.warns(UserWarning, match=r"^2 of 3 judged queries without an answer$"):
        found = ndcg_sql.evaluate(judged, ranked, "RR")
    assert (found.queries, found.unanswered) == (3, 2)
    assert repr(found) == "RR  0.3333\nqueries 3, unanswered 2"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(judged, ranked, "RR(missing='omit')")


@pytest.mark.slow
def test_what_is_unanswered_is_the_same_for_any_input() -> None:
    judged = {f"q{n}": {"a": 1} for n in range(3)}
    runs: list[Any] = [{"q0": ["a"], "q1": []}, {"q0": {"a": 1.0}, "q1": {}}]
    for run in runs:
        with pytest.warns(UserWarning, match="^2 of 3 judged queries without an"):
            found = ndcg_sql.evaluate(judged, run, "RR")
        shown = found._repr_html_()  # pyright: ignore[reportPrivateUsage]
        assert shown.endswith("<p>queries 3, unanswered 2</p>")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        full = {query: {"a": 1.0} for query in judged}
        assert ndcg_sql.evaluate(judged, full, "RR").unanswered == 0


@pytest.mark.slow
def test_runs_of_ranx_keep_their_names() -> None:
    ranx = library("ranx")
    first, second = (ranx.Run(RANKED | {"q2": {"c": 1.0}}, name=n) for n in "ab")
    # The second of the others has the number that the first is called by.
    third = ranx.Run(RANKED | {"q2": {"c": 1.0}}, name="run2")
    other = RANKED | {"q2": {"c": 1.0}}
    found = ndcg_sql.compare(JUDGED, [third, other, other], "RR").to_dicts()
    names = [(row["baseline"], row["candidate"]) for row in found]
    assert names == [("run2", "run3"), ("run2", "run4")]
    found = ndcg_sql.compare(JUDGED, [first, second], "RR").to_dicts()
    assert [(row["baseline"], row["candidate"]) for row in found] == [("a", "b")]


@pytest.mark.slow
def test_values_of_queries_are_frames_and_dictionaries() -> None:
    judged = {"q1": {"a": 2, "b": 1}, "q2": {"c": 0}}
    found = ndcg_sql.evaluate(judged, {"q1": ["b", "a"]}, "nDCG(no_rel='omit')@10 RR")
    rows = found.to_dicts()
    assert [tuple(row.values()) for row in rows] == found.per_query
    assert list(rows[0]) == ["query_id", "measure", "value"]
    assert rows[2]["value"] is None
    frame: Any = found.df()
    assert frame["value"].dtype == "float64"
    assert frame["value"].isna().tolist() == [False, False, True, False]
    assert found.pl().to_dicts() == rows


@pytest.mark.slow
def test_a_notebook_shows_the_means_as_a_table() -> None:
    found = ndcg_sql.evaluate({"q1": {"a": 1, "b": 1}}, {"q1": ["x", "a"]}, "RR AP")
    shown = found._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert re.findall(r"<bdi>(.*?)</bdi>", shown) == ["RR", "0.5000", "AP", "0.2500"]


@pytest.mark.slow
def test_messages_name_the_argument_that_has_the_rows() -> None:
    pandas: Any = pytest.importorskip("pandas")
    twice = {"query_id": ["q", "q"], "doc_id": ["a", "a"], "score": [2.0, 1.0]}
    run, judged = pandas.DataFrame(twice), {"q": {"a": 1}}
    with pytest.raises(NdcgSqlError, match=r"^run:2: .*already on line 1") as error:
        ndcg_sql.evaluate(judged, run)
    assert 'To keep one row of each document: duplicates="first", ' in str(error.value)
    assert ndcg_sql.evaluate(judged, run, "RR", duplicates="first")["RR"] == 1
    with pytest.raises(NdcgSqlError, match=r'^run "new":2: '):
        ndcg_sql.compare(judged, {"old": {"q": ["a"]}, "new": run})
    matrix = pandas.DataFrame([[0.1, 0.2]])
    with pytest.raises(NdcgSqlError, match=r'^judgments: no column for "query_id"'):
        ndcg_sql.evaluate(matrix, {"q": ["a"]})
    arrays = pandas.DataFrame({"query_id": ["q"]}).iloc[:, :0]
    with pytest.raises(NdcgSqlError, match=r"^run: "):
        ndcg_sql.evaluate(judged, arrays)
