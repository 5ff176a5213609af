"""The mistakes of hand-written SQL: what each gives, and what is right instead."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from support.commands import Command
from support.evaluations import Evaluation
from support.files import Judged, Ranked, write_judgments, write_run

Make = Callable[..., Evaluation]


@dataclass(frozen=True)
class Mistake:
    """A query that a mistake values wrongly."""

    judged: dict[str, float]
    ranked: str
    wrong: float
    right: float
    measure: str = "nDCG@10"

    @property
    def scores(self) -> dict[str, float]:
        """The documents of the ranking, each with a score below the one before."""
        return {document: -float(i) for i, document in enumerate(self.ranked)}


ONES = dict.fromkeys("abcde", 1.0)
FRACTIONS = {"a": 0.01, "b": 1.0, "c": 0.1}
MISTAKES = {
    "1 ideal of returned documents": Mistake(
        {"a": 2, "b": 3, "c": 3}, "ab", 0.913402, 0.660602
    ),
    "2a ideal cut at the list": Mistake(ONES, "a", 1, 0.339160),
    "2b ideal not cut at k": Mistake(
        dict.fromkeys("abcd", 1.0), "ab", 0.636682, 1, "nDCG@2"
    ),
    "2c ideal of k ones": Mistake({"a": 1}, "abcdefghij", 0.220092, 1),
    "2d table that ends at four": Mistake(ONES, "abcde", 1.151742, 1),
    "7 first of three": Mistake({"a": 1}, "za", 0.63, 1 / log2(3)),
    "8 log(x, 2)": Mistake({"a": 2, "b": 1, "c": 3}, "abc", 1.173201, 0.867503),
    "8b log of base 10": Mistake({"a": 3, "b": 1}, "ab", 12.061688, 3.630930, "DCG"),
    "9 exponential on fractions": Mistake(FRACTIONS, "abc", 0.642445, 0.646882),
    "9b grades as integers": Mistake(FRACTIONS, "abc", 0.630930, 0.646882),
    "11 ranking by label": Mistake({"x": 1, "y": 3}, "xy", 1, 0.796708),
    "11 exponential": Mistake(
        {"x": 1, "y": 3}, "xy", 1, 0.709810, "nDCG(dcg='exp-log2')@10"
    ),
    "gain of grade 0": Mistake({"a": 0}, "a", 1, 0, "DCG(dcg='exp-log2')"),
}


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value every case as a query of one run."""
    judged = {name.replace(" ", "_"): case.judged for name, case in MISTAKES.items()}
    ranked = {name.replace(" ", "_"): case.scores for name, case in MISTAKES.items()}
    measures = sorted({case.measure for case in MISTAKES.values()})
    return Evaluation(tmp_path_factory.mktemp("m"), judged, ranked, measures)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_query_has_the_right_value(mistakes: Evaluation, name: str) -> None:
    case = MISTAKES[name]
    value = mistakes.query(case.measure, name.replace(" ", "_"))
    assert value == pytest.approx(case.right, abs=1e-6)
    assert value != pytest.approx(case.wrong, abs=1e-4)


def test_3_unanswered_queries_count(evaluate: Make) -> None:
    judged: Judged = {"q1": {"a": 1}, "q2": {"b": 1}}
    found = evaluate(judged, {"q1": {"a": 1}}, ["nDCG@10"])
    assert found.queries["nDCG@10"] == {"q1": 1, "q2": 0}
    assert found.mean("nDCG@10") == 0.5 != 1
    row = found.means["nDCG@10"]
    assert (row["n"], row["answered"], row["unanswered"]) == (2, 1, 1)


def test_4_a_query_without_relevant_documents_counts_0(evaluate: Make) -> None:
    judged: Judged = {"q1": {"a": 1}, "q2": {"b": 0}}
    ranked: Ranked = {"q1": {"z": 2, "a": 1}, "q2": {"b": 1}}
    options = ["nDCG@10", "nDCG(no_rel='omit')@10", "nDCG(no_rel=1)@10"]
    found = evaluate(judged, ranked, options)
    right, dropped, as_one = (found.mean(measure) for measure in options)
    assert right == pytest.approx(0.315465, abs=1e-6)
    assert found.query("nDCG@10", "q2") == 0
    assert found.means["nDCG@10"]["no_relevant"] == 1
    # Whoever wants the other two has to ask for them.
    assert dropped == pytest.approx(0.630930, abs=1e-6)
    assert found.query("nDCG(no_rel='omit')@10", "q2") is None
    assert as_one == pytest.approx(0.815465, abs=1e-6)


# Blanks separate the columns of a file, so "a" and "a " are one document there.
def test_5a_a_document_ranked_twice_is_refused(
    ndcg: Command, evaluate: Make, tmp_path: Path
) -> None:
    write_judgments(tmp_path / "qrels", {"q": {"a": 1}})
    (tmp_path / "run").write_text("q Q0 a 1 2 t\nq Q0 a 2 1 t\n")
    result = ndcg("eval", "qrels", "run", "-m", "nDCG@10")
    assert result.code == 2
    assert result.out == ""
    assert "run:2: " in result.err
    ranked: Ranked = {"q": {"a": 2, "a ": 1}}
    with pytest.raises(NdcgSqlError, match=r"run:2: "):
        evaluate({"q": {"a": 1}}, ranked, ["nDCG@10"])


def test_5b_a_document_judged_twice_is_refused(
    ndcg: Command, evaluate: Make, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 a 2\nq 0 b 1\n")
    write_run(tmp_path / "run", {"q": {"a": 2, "b": 1}})
    result = ndcg("eval", "qrels", "run", "-m", "nDCG@10")
    assert result.code == 2
    assert result.out == ""
    assert "qrels:2: " in result.err
    judged: Judged = {"q": {"a": 1, "a ": 2, "b": 1}}
    with pytest.raises(NdcgSqlError, match=r"qrels:2: "):
        evaluate(judged, {"q": {"a": 2, "b": 1}}, ["nDCG@10"])


def test_6_equal_scores_have_one_order(evaluate: Make) -> None:
    for documents in ("ab", "ba"):
        ranked: Ranked = {"q": dict.fromkeys(documents, 1.0)}
        found = evaluate({"q": {"a": 1, "b": 0}}, ranked, ["nDCG@10"])
        assert found.query("nDCG@10") == pytest.approx(0.630930, abs=1e-6)
        assert found.query("nDCG@10") != 1


def test_7_nothing_is_rounded_before_the_mean(evaluate: Make) -> None:
    judged: Judged = {q: {"a": 1} for q in ("q1", "q2", "q3")}
    ranked = {
        q: {d: -float(i) for i, d in enumerate(documents)}
        for q, documents in (("q1", "za"), ("q2", "za"), ("q3", "xyza"))
    }
    found = evaluate(judged, ranked, ["nDCG@10"])
    assert found.mean("nDCG@10") == pytest.approx(0.564179, abs=1e-6)
    assert found.mean("nDCG@10") != pytest.approx(0.563333, abs=1e-4)


def test_8c_the_first_position_is_divided_by_1(evaluate: Make) -> None:
    found = evaluate({"q": {"a": 3}}, {"q": {"a": 1}}, ["DCG@10", "nDCG@10"])
    assert found.query("DCG@10") == 3
    assert found.query("nDCG@10") == 1


def mean_of(ndcg: Command, *arguments: str) -> float:
    """Return the mean of nDCG@10 that a report prints."""
    result = ndcg("report", "-m", "nDCG@10", "--format", "json", *arguments)
    assert result.code == 0, result.err
    (row,) = json.loads(result.out)
    return row["value"]


def test_10_versions_of_judgments_are_not_mixed(ndcg: Command, tmp_path: Path) -> None:
    write_judgments(tmp_path / "v1", {"q": {"a": 1}})
    write_judgments(tmp_path / "v2", {"q": {"a": 0, "b": 1}})
    write_run(tmp_path / "run", {"q": {"a": 2, "b": 1}})
    for command in (("judgments", "v1"), ("judgments", "v2"), ("run", "run")):
        assert ndcg("load", *command).code == 0
    second = mean_of(ndcg, "--judgments", "v2")
    assert second == pytest.approx(0.630930, abs=1e-6)
    assert second == mean_of(ndcg)
    assert mean_of(ndcg, "--judgments", "v1") == 1


def test_12_a_value_stays_that_of_its_judgments(ndcg: Command, tmp_path: Path) -> None:
    write_judgments(tmp_path / "day1", {"q": {"a": 1}})
    write_judgments(tmp_path / "final", {"q": {"a": 1, "c": 1}})
    write_run(tmp_path / "run", {"q": {"b": 3, "a": 2, "c": 1}})
    for command in (("judgments", "day1"), ("run", "run")):
        assert ndcg("load", *command).code == 0
    first = mean_of(ndcg)
    assert first == pytest.approx(0.630930, abs=1e-6)
    assert ndcg("load", "judgments", "final").code == 0
    assert mean_of(ndcg) == pytest.approx(0.693426, abs=1e-6) != first
    assert mean_of(ndcg, "--judgments", "day1") == first


def test_13_the_text_of_a_query_is_no_key(ndcg: Command, tmp_path: Path) -> None:
    write_judgments(tmp_path / "qrels", {"q1": {"a": 1}, "q2": {"b": 1}})
    write_run(tmp_path / "run", {q: {"a": 2, "b": 1} for q in ("q1", "q2")})
    (tmp_path / "texts.csv").write_text("query_id,text\nq1,jaguar\nq2,jaguar\n")
    for command in (
        ("queries", "texts.csv"),
        ("judgments", "qrels"),
        ("run", "run"),
    ):
        assert ndcg("load", *command).code == 0
    result = ndcg("report", "-m", "nDCG@10", "--per-query", "--format", "json")
    values = {row["query_id"]: row["value"] for row in json.loads(result.out)}
    assert values == {"q1": 1, "q2": pytest.approx(0.630930, abs=1e-6)}
    assert mean_of(ndcg) == pytest.approx(0.815465, abs=1e-6) != 1
