"""Worked examples: small rankings whose values were computed by hand or published."""

from collections.abc import Callable
from typing import Any

import pytest

from ndcg_sql.measures.names import parse
from support.evaluations import Evaluation, close, graded
from support.examples import (
    CASE_JUDGED,
    CASE_OPTIONS,
    CASE_OTHERS,
    CASE_Q1,
    CASE_RANKED,
    CASE_VALUES,
    EXAMPLES,
)
from support.files import Judged, Ranked
from support.user_models import Model

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
    ("measure", "lists", "values"),
    [
        (
            "ERR",
            [[4], [4, 2, 0], [2, 4, 1]],
            [0.9375, 0.943359375, 3 / 16 + 13 / 16 * 15 / 16 / 2 + 13 / 16**3 / 3],
        ),
        # With a better document higher up, the reader has enough one position earlier.
        ("BPM(max_rel=8)@5", [[1, 6, 7], [1, 7, 6]], [14 / 24, 8 / 16]),
        ("BPM(T=2,max_rel=3)@5", [[2, 1, 3], [2, 3, 1]], [2 / 3, 2 / 5]),
        # Gains add up as doubles do: ten tenths are less than 1, five fifths are not.
        ("BPM(max_rel=10)@12", [[1] * 11 + [0], [2] * 5 + [0]], [0.1, 0.2]),
        # A better document within the cutoff may lower it.
        ("Accuracy@3", [[1, 0, 0, 1], [1, 0, 1, 0]], [1, 0.5]),
    ],
)
def test_worked_examples_of_cascades_and_readers(
    evaluate: Make, measure: str, lists: list[list[int]], values: list[float]
) -> None:
    made = {f"q{i}": graded([*map(float, grades)]) for i, grades in enumerate(lists)}
    judged = {query: judged["q"] for query, (judged, _) in made.items()}
    ranked = {query: ranked["q"] for query, (_, ranked) in made.items()}
    found = evaluate(judged, ranked, [measure]).queries[measure]
    assert [found[query] for query in judged] == pytest.approx(values, rel=1e-12)


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


def test_lists_of_any_length_and_quality_have_a_value(evaluate: Make) -> None:
    measures = [
        *("INST(T=0.25,max_rel=3)", "INST(T=0.5,max_rel=3)", "INST(max_rel=4)"),
        *("INSQ(T=1000000,max_rel=3)", "NERR8(max_rel=4)@2000", "NERR11(max_rel=4)"),
        *("NERR9(max_rel=4)@2000", "NERR10(p=0.999,max_rel=4)"),
        *("BPM(T=1000000,max_rel=4)@2000", "Compat(p=0.999)", "Compat", "Accuracy"),
    ]
    judged, ranked = graded([3.0] * 1500)
    found = evaluate(judged, ranked, measures)
    for measure in parse(" ".join(measures)):
        options: Any = {k: v for k, v in measure.parameters.items() if v is not None}
        model = Model(measure.family.name, measure.cutoff, options)
        value = model.plain(dict(judged["q"]), sorted(judged["q"]))
        assert found.query(measure.name) == pytest.approx(value, rel=1e-9), measure


# By measure: the values of the four queries and their mean, as far as they are known.
CASE = {
    **{m: (q1, q2, "0", "", mean) for m, (q1, q2, mean) in CASE_VALUES.items()},
    **CASE_OTHERS,
    **{measure: (value, "", "", "", "") for measure, value in CASE_Q1.items()},
    "nDCG(judged_only=true)@5": ("0.765923", "", "0", "0", ""),
    "nDCG(ties='mean')": ("", "0.809953117", "0", "0", ""),
}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value the case of four judged queries."""
    folder = tmp_path_factory.mktemp("case")
    return Evaluation(folder, CASE_JUDGED, CASE_RANKED, [*CASE, *CASE_OPTIONS])


@pytest.mark.parametrize("measure", CASE)
def test_the_case_has_its_values(case: Evaluation, measure: str) -> None:
    *queries, mean = CASE[measure]
    for query, value in zip(("q1", "q2", "q3", "q4"), queries, strict=True):
        if value:
            assert case.query(measure, query) == close(value), query
    if mean:
        assert case.mean(measure) == close(mean)
    assert case.queries[parse(measure)[0].name].keys() == CASE_JUDGED.keys()


@pytest.mark.parametrize("measure", CASE_OPTIONS)
def test_options_decide_which_queries_of_the_case_count(
    case: Evaluation, measure: str
) -> None:
    row = case.means[parse(measure)[0].name]
    mean, n = CASE_OPTIONS[measure]
    assert (row["value"], row["n"]) == (close(mean), n)
    counts = ("answered", "unanswered", "no_relevant", "unjudged_queries")
    assert [row[name] for name in counts] == [3, 1, 1, 1]
