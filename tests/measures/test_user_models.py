"""Measures of user models: by hand, and of long lists by their formulas."""

from collections.abc import Callable
from typing import Any

import pytest

from ndcg_sql.measures.names import parse
from support.evaluations import Evaluation, Grades, graded
from support.user_models import Model

Make = Callable[..., Evaluation]


@pytest.mark.parametrize(
    ("measure", "lists", "values"),
    [
        # With a better document higher up, the reader has enough one position earlier.
        ("BPM(max_rel=8)@5", [[1, 6, 7], [1, 7, 6]], [14 / 24, 8 / 16]),
        ("BPM(T=2,max_rel=3)@5", [[2, 1, 3], [2, 3, 1]], [2 / 3, 2 / 5]),
        # Gains add up as doubles do: ten tenths are less than 1, five fifths are not.
        ("BPM(max_rel=10)@12", [[1] * 11 + [0], [2] * 5 + [0]], [0.1, 0.2]),
        # A better document within the cutoff may lower it.
        ("Accuracy@3", [[1, 0, 0, 1], [1, 0, 1, 0]], [1, 0.5]),
    ],
)
def test_readers_stop_where_they_have_enough(
    evaluate: Make, measure: str, lists: list[list[int]], values: list[float]
) -> None:
    made = {f"q{i}": graded([*map(float, grades)]) for i, grades in enumerate(lists)}
    judged = {query: judged["q"] for query, (judged, _) in made.items()}
    ranked = {query: ranked["q"] for query, (_, ranked) in made.items()}
    found = evaluate(judged, ranked, [measure]).queries[measure]
    assert [found[query] for query in judged] == pytest.approx(values, rel=1e-12)


def test_lists_of_any_length_and_quality_have_a_value(evaluate: Make) -> None:
    measures = [
        *("INST(T=0.25,max_rel=3)", "INST(T=0.5,max_rel=3)", "INST(max_rel=4)"),
        *("INSQ(T=1000000,max_rel=3)", "NERR8(max_rel=4)@2000", "NERR11(max_rel=4)"),
        *("NERR9(max_rel=4)@2000", "NERR10(p=0.999,max_rel=4)"),
        *("BPM(T=1000000,max_rel=4)@2000", "Compat(p=0.999)", "Compat", "Accuracy"),
    ]
    grades: Grades = [3.0] * 1500
    judged, ranked = graded(grades)
    found = evaluate(judged, ranked, measures)
    for measure in parse(" ".join(measures)):
        options: Any = {k: v for k, v in measure.parameters.items() if v is not None}
        model = Model(measure.family.name, measure.cutoff, options)
        value = model.plain(dict(judged["q"]), sorted(judged["q"]))
        assert found.query(measure.name) == pytest.approx(value, rel=1e-9), measure
