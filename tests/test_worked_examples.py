"""Worked examples: small rankings whose values were computed by hand or published."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from conftest import Evaluation, Judged, Ranked, graded

from ndcg_sql.errors import NdcgSqlError

Make = Callable[..., Evaluation]
Grades = list[float | None]


@dataclass(frozen=True)
class Example:
    """A ranking given by its grades, and measures with the values expected."""

    ranked: Grades
    values: dict[str, str]
    others: tuple[float, ...] = ()


PHONES: Grades = [3, 2, 3, 0, 1, 2]
RATED: Grades = [3, 2, 1, 3, 2]
BOUGHT: Grades = [1, None, None, 1, None]
JK_RANKED: Grades = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
EXP = "dcg='exp-log2'"
RETRIEVED = "ideal='retrieved'"
# Expected values are text: the number of decimals says how closely to compare.
EXAMPLES = {
    "W1": Example(PHONES, {"CG@6": "11", "nCG@6": "0.733333"}, (3, 2)),
    "W2": Example(
        PHONES,
        {"DCG@6": "6.861126689", "IDCG@6": "8.740262366", "nDCG@6": "0.785002372"},
        (3, 2),
    ),
    "W3": Example(PHONES, {f"nDCG({RETRIEVED})@6": "0.960808194"}, (3, 2)),
    "W4": Example(
        PHONES,
        {f"DCG({EXP})@6": "13.848263629", f"nDCG({EXP})@6": "0.751083387"},
        (3, 2),
    ),
    "W5": Example(PHONES, {f"nDCG({EXP},{RETRIEVED})@6": "0.948810749"}, (3, 2)),
    "W6": Example([3, 2, 0, 3, 1, 2], {"DCG@6": "6.653156363"}, (3, 2)),
    "W7": Example(
        [3, 4, 3], {"nDCG@3": "0.950076996", f"nDCG({EXP})@3": "0.871160042"}
    ),
    "W8": Example(
        [5, 1, 3, 2, 4], {f"nDCG({EXP})@5": "0.925134411", "nDCG@5": "0.928715324"}
    ),
    "W9": Example(
        [5, 3, 4, 2, 1], {f"nDCG({EXP})@5": "0.977051422", "nDCG@5": "0.987253630"}
    ),
    "W10": Example(
        RATED, {"DCG(dcg='jk')@5": "7.992282870", "nDCG(dcg='jk')@5": "0.919442014"}
    ),
    "W11": Example(RATED, {"DCG@5": "6.827594796", "nDCG@5": "0.956112505"}),
    "W12": Example(
        RATED, {f"DCG({EXP})@5": "13.568083589", f"nDCG({EXP})@5": "0.929614274"}
    ),
    "W13": Example(
        BOUGHT, {"nDCG@5": "0.485228555", "nDCG(dcg='jk')@5": "0.421158283"}, (1, 1, 1)
    ),
    "W14": Example(
        BOUGHT,
        {
            f"nDCG({RETRIEVED})@5": "0.877215315",
            f"nDCG(dcg='jk',{RETRIEVED})@5": "0.75",
        },
        (1, 1, 1),
    ),
    "S1": Example(
        [5, 1, 0, 0, 10], {"nDCG": "0.695694044", f"nDCG({EXP})": "0.409738495"}
    ),
    "S2": Example(
        [0, 0, 1, 10, 5],
        {f"nDCG({RETRIEVED})": "0.493680191", f"nDCG({RETRIEVED})@4": "0.352024110"},
    ),
    "O1": Example(
        PHONES, {f"DCG({EXP})": "13.848263629", f"IDCG({EXP})": "14.595390756"}
    ),
    "O2": Example(
        [3, 2, 3, None, 1, None],
        {f"DCG({EXP})": "12.779642068", f"IDCG({EXP})": "13.347184833"},
    ),
    "O3": Example(
        [3, 2, 3, None],
        {
            f"DCG({EXP})": "12.392789261",
            f"IDCG({EXP},ideal='returned')": "13.347184833",
        },
        (1,),
    ),
    "P1": Example(
        [2, 5, 1], {f"DCG({EXP})@3": "23.058822361", f"nDCG({EXP})@3": "0.690532982"}
    ),
    "P2a": Example([1, 2, 0], {f"nDCG({EXP})@3": "0.796707581"}),
    "P2b": Example([2, 5, 1, 9], {f"nDCG({EXP})@3": "0.043338859"}),
    "P2c": Example([0, 0, 0], {f"nDCG({EXP})@3": "0"}),
    "E1": Example(
        [0.01, 1, 0.1], {"nDCG": "0.646881657", f"nDCG({EXP})": "0.642445256"}
    ),
    "negative": Example(
        [0, 1], {"DCG(gains={0:-1})": "-0.369070", "nDCG(gains={0:-1})": "-0.369070"}
    ),
    "fraction": Example([0.5], {"CG(dcg='exp-log2')": "0.414214"}),
}
JK_VALUES = {
    "DCG": "3 5 6.892789 6.892789 6.892789 7.279642 7.992056 8.658723 9.605118"
    " 9.605118",
    "IDCG": "3 6 7.892789 8.892789 9.754142 10.527848 10.884055 11.217389 11.532853"
    " 11.833883",
    "nDCG": "1 0.833333 0.873302 0.775099 0.706653 0.691465 0.734290 0.771902 0.832848"
    " 0.811662",
}
for row, (family, numbers) in enumerate(JK_VALUES.items(), start=1):
    by_cutoff = enumerate(numbers.split(), start=1)
    jk_values = {f"{family}(dcg='jk')@{k}": number for k, number in by_cutoff}
    EXAMPLES[f"K{row}"] = Example(JK_RANKED, jk_values, (1, 1, 1))


def close(expected: str) -> Any:
    """Return what compares equal as closely as the decimals of a number allow."""
    decimals = len(expected.partition(".")[2])
    tolerance = {4: 1e-4, 5: 1e-5, 6: 1e-6}.get(decimals, 1e-9)
    return pytest.approx(float(expected), rel=0, abs=tolerance)


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


def test_a_grade_above_the_highest_expected_is_refused(
    evaluate: Make,
) -> None:
    with pytest.raises(NdcgSqlError, match=r"has the grade 4.5, .* such as max_rel=5"):
        evaluate(*graded([4.5]), ["nERR@3"])
    assert evaluate(*graded([4.5]), ["nERR(max_rel=5)@3"]).mean("nERR(max_rel=5)@3")


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
