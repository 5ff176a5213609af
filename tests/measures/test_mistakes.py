"""The mistakes of hand-written SQL: what each gives, and what is right instead."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command
from support.evaluations import Evaluation
from support.files import write_judgments, write_run

Make = Callable[..., Evaluation]


@dataclass(frozen=True)
class Mistake:
    """A query that a mistake values wrongly."""

    judged: dict[str, float]
    ranked: str
    wrong: float
    right: float
    measure: str = "nDCG@10"


def in_order(documents: str) -> dict[str, float]:
    """Return documents, each with a score below the one before."""
    return {document: -float(i) for i, document in enumerate(documents)}


def reported(ndcg: Command, *options: str) -> list[dict[str, Any]]:
    """Return the rows of a report of nDCG@10."""
    result = ndcg("report", "-m", "nDCG@10", "--format", "json", *options)
    assert result.code == 0, result.err
    return json.loads(result.out)


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
    "8c log2(i) of the first": Mistake({"a": 3}, "a", 0, 3, "DCG"),
    "gain of grade 0": Mistake({"a": 0}, "a", 1, 0, "DCG(dcg='exp-log2')"),
}
# Of some queries, each with judgments and a ranking: what a mean must be.
ONE: dict[str, float] = {"a": 1}
OMITTED, AS_ONE = "nDCG(no_rel='omit')@10", "nDCG(no_rel=1)@10"
NOT_RELEVANT: list[tuple[dict[str, float], str]] = [(ONE, "za"), ({"b": 0}, "b")]
MEANS = {
    "3 unanswered queries count": ([(ONE, "a"), ({"b": 1}, "")], "nDCG@10", 1, 0.5),
    # Whoever wants the other two has to ask for them.
    "4 without relevant documents 0": (NOT_RELEVANT, "nDCG@10", 0.630930, 0.315465),
    "4 left out": (NOT_RELEVANT, OMITTED, 0.315465, 0.630930),
    "4 as one": (NOT_RELEVANT, AS_ONE, 0.315465, 0.815465),
    "7 rounding before the mean": (
        [(ONE, "za"), (ONE, "za"), (ONE, "xyza")],
        *("nDCG@10", 0.563333, 0.564179),
    ),
}


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value every case as a query of one run."""
    judged = {name.replace(" ", "_"): case.judged for name, case in MISTAKES.items()}
    ranked = {
        name.replace(" ", "_"): in_order(case.ranked) for name, case in MISTAKES.items()
    }
    measures = sorted({case.measure for case in MISTAKES.values()})
    return Evaluation(tmp_path_factory.mktemp("m"), judged, ranked, measures)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_query_has_the_right_value(mistakes: Evaluation, name: str) -> None:
    case = MISTAKES[name]
    value = mistakes.query(case.measure, name.replace(" ", "_"))
    assert value == pytest.approx(case.right, abs=1e-6)
    assert value != pytest.approx(case.wrong, abs=1e-4)


@pytest.mark.parametrize("name", MEANS)
def test_a_mean_has_the_right_value(evaluate: Make, name: str) -> None:
    queries, measure, wrong, right = MEANS[name]
    judged = {f"q{i}": grades for i, (grades, _) in enumerate(queries)}
    ranked = {f"q{i}": in_order(top) for i, (_, top) in enumerate(queries) if top}
    found = evaluate(judged, ranked, [measure])
    assert found.mean(measure) == pytest.approx(right, abs=1e-6)
    assert found.mean(measure) != pytest.approx(wrong, abs=1e-4)
    row = found.means[measure]
    assert (row["answered"], row["unanswered"]) == (
        len(ranked),
        len(judged) - len(ranked),
    )
    without = [grades for grades in judged.values() if not any(grades.values())]
    assert row["no_relevant"] == len(without)


# Blanks separate the columns of a file, so "a" and "a " are one document there.
@pytest.mark.parametrize(
    ("judged", "ranked", "line"),
    [
        pytest.param({"a": 1}, {"a": 2, "a ": 1}, "run:2: ", id="5a in the run"),
        pytest.param({"a": 1, "a ": 2}, {"a": 2}, "qrels:2: ", id="5b in judgments"),
    ],
)
def test_5_a_document_listed_twice_is_refused(
    ndcg: Command, judged: dict[str, float], ranked: dict[str, float], line: str
) -> None:
    qrels = write_judgments(Path("qrels"), {"q": judged})
    run = write_run(Path("run"), {"q": ranked})
    assert line in ndcg("eval", qrels, run, "-m", "nDCG@10").refusal


@pytest.mark.parametrize("documents", ["ab", "ba"])
def test_6_equal_scores_have_one_order(evaluate: Make, documents: str) -> None:
    ranked = {"q": dict.fromkeys(documents, 1.0)}
    found = evaluate({"q": {"a": 1, "b": 0}}, ranked, ["nDCG@10"])
    assert found.query("nDCG@10") == pytest.approx(0.630930, abs=1e-6)


# Judgments, one set after the other; a ranking; the values of the two sets.
VERSIONS = {
    "10 versions are not mixed": ([{"a": 1}, {"a": 0, "b": 1}], "ab", 1, 0.630930),
    "12 a value stays": ([{"a": 1}, {"a": 1, "c": 1}], "bac", 0.630930, 0.693426),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_a_value_is_that_of_its_judgments(ndcg: Command, name: str) -> None:
    (old, new), ranked, before, after = VERSIONS[name]
    write_judgments(Path("old"), {"q": old})
    write_judgments(Path("new"), {"q": new})
    write_run(Path("run"), {"q": in_order(ranked)})
    for command in ("judgments old", "run run", "judgments new"):
        assert ndcg("load", *command.split()).code == 0
    for asked, value in (((), after), (("new",), after), (("old",), before)):
        options = ("--judgments", *asked) if asked else ()
        (row,) = reported(ndcg, *options)
        assert row["value"] == pytest.approx(value, abs=1e-6), asked


def test_13_the_text_of_a_query_is_no_key(ndcg: Command) -> None:
    write_judgments(Path("qrels"), {"q1": {"a": 1}, "q2": {"b": 1}})
    write_run(Path("run"), {q: {"a": 2, "b": 1} for q in ("q1", "q2")})
    Path("texts.csv").write_text("query_id,text\nq1,jaguar\nq2,jaguar\n")
    for command in ("queries texts.csv", "judgments qrels", "run run"):
        assert ndcg("load", *command.split()).code == 0
    values = {row["query_id"]: row["value"] for row in reported(ndcg, "-q")}
    assert values == {"q1": 1, "q2": pytest.approx(0.630930, abs=1e-6)}
    (mean,) = reported(ndcg)
    assert mean["value"] == pytest.approx(0.815465, abs=1e-6)
