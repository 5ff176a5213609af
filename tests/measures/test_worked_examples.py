"""Worked examples: small rankings whose values were computed by hand or published."""

from collections.abc import Callable
from math import log2
from typing import Any

import pytest

from support.evaluations import Evaluation, Grades, close, graded
from support.examples import EXAMPLES
from support.files import Judged, Ranked

Make = Callable[..., Evaluation]


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value every example as a query of one run, each by every measure."""
    judged: dict[str, Any] = {}
    ranked: dict[str, Any] = {}
    for name, example in EXAMPLES.items():
        one = graded(example.ranked, list(example.others))
        judged[name], ranked[name] = one[0]["q"], one[1]["q"]
    measures = sorted({m for example in EXAMPLES.values() for m in example.values})
    return Evaluation(tmp_path_factory.mktemp("w"), judged, ranked, measures)


@pytest.mark.parametrize(
    ("name", "measure", "value"),
    [
        pytest.param(name, measure, value, id=f"{name} {measure}")
        for name, example in EXAMPLES.items()
        for measure, value in example.values.items()
    ],
)
def test_worked_example(
    examples: Evaluation, name: str, measure: str, value: str
) -> None:
    assert examples.query(measure, name) == close(value)


@pytest.mark.parametrize(
    ("grades", "value"),
    [([4], "0.9375"), ([4, 2, 0], "0.943359375"), ([2, 4, 1], "0.569417318")],
)
def test_worked_example_of_a_cascade(
    evaluate: Make, grades: Grades, value: str
) -> None:
    assert evaluate(*graded(grades), ["ERR"]).query("ERR") == close(value)


def test_a_grade_above_the_highest_expected_has_no_value(
    evaluate: Make,
) -> None:
    high = "nERR(max_rel=5)@3"
    found = evaluate(*graded([4.5]), ["nERR@3", high])
    assert list(found.means) == [high]
    assert found.mean(high) == 1


def test_an_ideal_as_long_as_the_list_is_condensed_with_it(evaluate: Make) -> None:
    # Two judged documents are shown, the third and fourth are not.
    found = evaluate(
        *graded([None, 1, 3, None], [2, 1]),
        ["nDCG(ideal='returned',judged_only=true)@5", "nDCG(ideal='returned')@5"],
    )
    condensed = (1 + 3 / log2(3)) / (3 + 2 / log2(3))
    whole = (1 / log2(3) + 3 / 2) / (3 + 2 / log2(3) + 1 / 2 + 1 / log2(5))
    by_hand = [pytest.approx(value, rel=1e-12) for value in (condensed, whole)]
    assert [values["q"] for values in found.queries.values()] == by_hand


@pytest.mark.parametrize("others", [[], ["nDCG(ties='mean')", "nDCG@1"]])
def test_a_tie_that_goes_past_the_cutoff_is_shared_as_a_whole(
    evaluate: Make, others: list[str]
) -> None:
    # The first three have the same score; only one of their positions counts.
    judged = {"q": {"a": 3.0, "b": 2.0, "d": 1.0}}
    ranked = {"q": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0}}
    found = evaluate(judged, ranked, ["nDCG(ties='mean')@1", *others])
    assert found.query("nDCG(ties='mean')@1") == pytest.approx(5 / 3 / 3, rel=1e-12)


def test_a_geometric_mean_has_a_floor(evaluate: Make) -> None:
    # AP is 1 / 300 / 400, which is below the floor, then 1 / 300 / 300, then 1.
    judged: Judged = {}
    ranked: Ranked = {}
    for query, relevant in {"low": 400, "some": 300, "one": 1}.items():
        depth = 300 if relevant > 1 else 1
        judged[query] = {f"r{i}": 1 for i in range(relevant)}
        ranked[query] = {f"x{i}": 9.0 for i in range(depth - 1)} | {"r0": 1.0}
    found = evaluate(judged, ranked, ["gm_map", "AP"])
    assert found.query("AP", "low") == pytest.approx(1 / 120_000)
    expected = (0.00001 * (1 / 90_000) * 1) ** (1 / 3)
    assert found.mean("gm_map") == pytest.approx(expected, rel=1e-12)


def listed(
    rankings: list[list[int]], relevant: list[dict[int, float]]
) -> tuple[Judged, Ranked]:
    """Return judgments and a run from lists of documents, best first.

    A query without relevant documents is judged all the same: one grade of 0.
    """
    judged = {
        f"q{q}": {str(d): g for d, g in grades.items()} or {"none": 0}
        for q, grades in enumerate(relevant)
    }
    ranked = {
        f"q{q}": {str(d): float(-i) for i, d in enumerate(documents)}
        for q, documents in enumerate(rankings)
    }
    return judged, ranked


FIRST = [1, 6, 2, 7, 8, 3, 9, 10, 4, 5]
SECOND = [4, 1, 5, 6, 2, 7, 3, 8, 9, 10]
THIRD = [1, 2, 3, 4, 5]


def ones(documents: list[int]) -> dict[int, float]:
    """Return the grade 1 for each document."""
    return dict.fromkeys(documents, 1.0)


@pytest.mark.parametrize(
    ("rankings", "relevant", "values"),
    [
        pytest.param(
            [FIRST, SECOND, THIRD],
            [ones([1, 2, 3, 4, 5]), ones([1, 2, 3]), {}],
            {
                "nDCG@3": "0.333333333",
                "nDCG(gains='binary')@5": "0.328788004",
                "nDCG@10": "0.487912746",
                "AP": "0.355026455",
                "P@3": "0.333333333",
                "R@10": "0.666666667",
            },
            id="binary",
        ),
        pytest.param(
            [FIRST, SECOND, THIRD],
            [{1: 3, 2: 2, 3: 1, 4: 1, 5: 1}, {1: 2, 2: 0, 3: 0}, {}],
            {
                "nDCG(dcg='exp-log2')@3": "0.511959753",
                "nDCG(dcg='exp-log2')@5": "0.487806971",
                "nDCG(dcg='exp-log2')@10": "0.518700621",
            },
            id="graded",
        ),
        pytest.param(
            [[1, 6, 2]],
            [ones([1, 2, 3, 4, 5]), ones([1, 2, 3])],
            {"nDCG@1": "0.5", "nDCG@2": "0.306573596"},
            id="short lists",
        ),
    ],
)
def test_spark_has_the_same_means(
    evaluate: Make,
    rankings: list[list[int]],
    relevant: list[dict[int, float]],
    values: dict[str, str],
) -> None:
    found = evaluate(*listed(rankings, relevant), list(values))
    for measure, value in values.items():
        assert found.mean(measure) == close(value), measure


def test_measures_may_share_a_map_of_gains(evaluate: Make) -> None:
    measures = ["CG(gains={1:3})", "nDCG(gains={1:3})@2", "nDCG(gains={1:3})@1"]
    found = evaluate(*graded([1, 1]), measures)
    assert [found.query(measure) for measure in measures] == [6, 1, 1]
