"""Worked examples: small rankings whose values were computed by hand or published."""

from collections.abc import Callable
from typing import Any

import pytest

from support.evaluations import Evaluation, close, graded
from support.examples import EXAMPLES, Example
from support.files import Judged, Ranked

Make = Callable[..., Evaluation]
NORMS = {"": "0.333333", "(norm='min')": "0.555556", "(norm='hits')": "0.833333"}
MORE = {
    **EXAMPLES,
    "pyltr": Example([2, 1, 0], {"DCG(dcg='exp-log2')@3": "3.630929754"}),
    "XGBoost": Example(
        [0, 1, 0, 1],
        {"nDCG@2": "0.3869", "nDCG": "0.6509", "AP": "0.5", "AP@2": "0.25"},
    ),
    "MAP@K": Example([1, 0, 1], {f"AP{n}@3": v for n, v in NORMS.items()}, (1, 1, 1)),
    # Nothing with a gain above 0 is returned, but something with one below.
    "below": Example(
        [None, 0, None], {"ndcg_rel(gains={0:-0.5,1:0.1})": "-1.934264036"}, (1, 1)
    ),
    # Measures may share a map of gains.
    "map": Example([1, 1], {"CG(gains={1:3})": "6", "nDCG(gains={1:3})@1": "1"}),
    # An ideal as long as the list is condensed with it: 3 and 1, or 3, 2, 1 and 1.
    "condensed": Example(
        [None, 1, 3, None],
        {
            "nDCG(ideal='returned',judged_only=true)@5": "0.678762229",
            "nDCG(ideal='returned')@5": "0.410383236",
        },
        (2, 1),
    ),
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value every example as a query of one run, each by every measure."""
    judged: dict[str, Any] = {}
    ranked: dict[str, Any] = {}
    for name, example in MORE.items():
        one = graded(example.ranked, list(example.others))
        judged[name], ranked[name] = one[0]["q"], one[1]["q"]
    measures = sorted({m for example in MORE.values() for m in example.values})
    return Evaluation(tmp_path_factory.mktemp("w"), judged, ranked, measures)


@pytest.mark.parametrize(
    ("name", "measure", "value"),
    [
        pytest.param(name, measure, value, id=f"{name} {measure}")
        for name, example in MORE.items()
        for measure, value in example.values.items()
    ],
)
def test_worked_example(
    examples: Evaluation, name: str, measure: str, value: str
) -> None:
    assert examples.query(measure, name) == close(value)


def test_worked_examples_of_a_cascade(evaluate: Make) -> None:
    lists = {"0.9375": [4], "0.943359375": [4, 2, 0], "0.569417318": [2, 4, 1]}
    made = {value: graded([*map(float, grades)]) for value, grades in lists.items()}
    judged = {value: judged["q"] for value, (judged, _) in made.items()}
    ranked = {value: ranked["q"] for value, (_, ranked) in made.items()}
    found = evaluate(judged, ranked, ["ERR"]).queries["ERR"]
    assert found == {value: close(value) for value in lists}


def test_a_grade_above_the_highest_expected_has_no_value(evaluate: Make) -> None:
    high = "nERR(max_rel=5)@3"
    found = evaluate(*graded([4.5]), ["nERR@3", high])
    assert list(found.means) == [high]
    assert found.mean(high) == 1


@pytest.mark.parametrize("others", [[], ["nDCG(ties='mean')@5", "nDCG@1"]])
@pytest.mark.parametrize(
    ("grades", "scores", "values"),
    [
        # One that goes past the cutoff is shared as a whole.
        ([3, 2, 0, 1], [2, 2, 2, 1], {"@1": 5 / 3 / 3, "@2": 0.637801, "": 0.836275}),
        # S3: the ideal of what was returned.
        ([10, 5, 0, 0, 1], [1, 1, 0, 0, 0], {"@1": 0.75, "": 0.927973309}),
    ],
)
def test_equal_scores_share_their_gains(
    evaluate: Make,
    grades: list[float],
    scores: list[float],
    values: dict[str, float],
    others: list[str],
) -> None:
    judged = {"q": dict(zip("abcde", grades, strict=False))}
    ranked = {"q": dict(zip("abcde", scores, strict=False))}
    asked = {
        f"{family}{at}": value
        for family in ("nDCG(ties='mean')", "nDCG(ideal='retrieved',ties='mean')")
        for at, value in values.items()
    }
    found = evaluate(judged, ranked, [*asked, *others])
    for measure, value in asked.items():
        assert found.query(measure) == pytest.approx(value, abs=1e-6), measure


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
