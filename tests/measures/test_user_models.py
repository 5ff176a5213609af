"""Measures of user models: every value against other programs and the formulas."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.measures.names import parse
from support import exploring
from support.evaluations import Evaluation, assert_close, graded
from support.libraries import library
from support.oracles import ACCURACY, COMPAT, SCALED
from support.user_models import MODELS, Model
from support.worlds import FRACTIONS, SHAPES, WHOLE, merged, world

Make = Callable[..., Evaluation]


@pytest.mark.slow
@pytest.mark.parametrize("size", [exploring.amount(24, 60)])
def test_the_formulas_give_the_same(tmp_path: Path, size: int) -> None:
    queries = merged(whole=world(11, size, WHOLE), fractions=world(11, size, FRACTIONS))
    names = [model.name for model in MODELS.values()]
    found = Evaluation(tmp_path, queries.judged, queries.ranked, names)
    expected = {
        name: {
            q: model.value(g, queries.rankings[q]) for q, g in queries.judged.items()
        }
        for name, model in MODELS.items()
    }
    assert_close(found, expected)
    for name, model in MODELS.items():
        values = [
            model.plain(g, queries.rankings[q]) for q, g in queries.judged.items()
        ]
        assert found.means[name]["no_relevant"] == values.count(None), name


@pytest.mark.slow
@pytest.mark.parametrize(
    "measures",
    [SCALED[::4], pytest.param(SCALED, marks=pytest.mark.slow), COMPAT, ACCURACY],
    ids=["some", "scaled", "Compat", "Accuracy"],
)
def test_ir_measures_gives_the_same(tmp_path: Path, measures: list[str]) -> None:
    ir_measures = library("ir_measures")
    library("cwl")
    # Ties are broken the other way round there.
    size = 48 if measures[0] == SCALED[0] else 240
    shapes = tuple(shape for shape in SHAPES if shape != "tied")
    queries = world(12, size, (0, 0, 1, 2, 3), shapes=shapes)
    # Compat takes a document that the run lacks for one with a score of 0 there,
    # and Accuracy divides by 0 where nothing on a list is not relevant.
    first = {"unjudged": 9000.0} if measures is ACCURACY else {}
    ranked = {
        query: {**first, **{d: score + 1000 for d, score in scores.items()}}
        for query, scores in queries.ranked.items()
    }
    found = Evaluation(tmp_path, queries.judged, ranked, measures)
    expected: dict[str, dict[str, Any]] = {}
    for measure in measures:
        asked = [ir_measures.parse_measure(measure)]
        metrics = list(ir_measures.iter_calc(asked, queries.judged, ranked))
        assert len(metrics) > 40
        # Accuracy has no value there where nothing relevant was found.
        expected[measure] = dict.fromkeys(queries.judged, 0)
        expected[measure] |= {metric.query_id: metric.value for metric in metrics}
    assert_close(found, expected)


def valued(evaluate: Make, measure: str, *lists: list[float | None]) -> list[Any]:
    """Return the values of lists of grades by position."""
    made = {f"q{i}": graded(grades) for i, grades in enumerate(lists)}
    judged = {query: judged["q"] for query, (judged, _) in made.items()}
    ranked = {query: ranked["q"] for query, (_, ranked) in made.items()}
    found = evaluate(judged, ranked, [measure])
    return [found.query(measure, query) for query in made]


def test_a_better_document_higher_up_may_lower_a_mean_gain(evaluate: Make) -> None:
    # With it, the reader has enough one position earlier.
    measure = "BPM(max_rel=8)@5"
    assert valued(evaluate, measure, [1, 6, 7], [1, 7, 6]) == [14 / 24, 8 / 16]


def test_a_better_document_within_the_cutoff_may_lower_accuracy(evaluate: Make) -> None:
    lists: list[list[float | None]] = [[1, 0, 0, 1], [1, 0, 1, 0]]
    assert valued(evaluate, "Accuracy@3", *lists) == [1, 0.5]


def test_gains_add_up_in_order_as_doubles_do(evaluate: Make) -> None:
    # Ten tenths are less than 1 there, and five fifths are not.
    lists: list[list[float | None]] = [[*[1.0] * 11, 0], [*[2.0] * 5, 0]]
    values = valued(evaluate, "BPM(max_rel=10)@12", *lists)
    assert values == [pytest.approx(0.1), pytest.approx(0.2)]
    values = valued(evaluate, "BPM(T=2,max_rel=3)@5", [2, 1, 3], [2, 3, 1])
    assert values == [pytest.approx(2 / 3), pytest.approx(2 / 5)]


def test_lists_of_any_length_and_quality_have_a_value(evaluate: Make) -> None:
    measures = [
        *("INST(T=0.25,max_rel=3)", "INST(T=0.5,max_rel=3)", "INST(max_rel=4)"),
        *("INSQ(T=1000000,max_rel=3)", "NERR8(max_rel=4)@2000", "NERR11(max_rel=4)"),
        *("NERR9(max_rel=4)@2000", "NERR10(p=0.999,max_rel=4)"),
        *("BPM(T=1000000,max_rel=4)@2000", "Compat(p=0.999)", "Compat", "Accuracy"),
    ]
    grades: list[float | None] = [3.0] * 1500
    found = evaluate(*graded(grades), measures)
    for measure in measures:
        (query,) = graded(grades)[0].values()
        ranking = sorted(query)
        model = parse(measure)[0]
        options = {k: v for k, v in model.parameters.items() if v is not None}
        value = Model(model.family.name, model.cutoff, options).plain(
            dict(query), ranking
        )
        assert found.query(measure) == pytest.approx(value, rel=1e-9), measure
