"""Measures of user models: every value against other programs and the formulas."""

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from conftest import Evaluation, graded
from formulas import Variant
from worlds import FRACTIONS, SHAPES, WHOLE, assert_close, world

from ndcg_sql.measures import parse

Make = Callable[..., Evaluation]


class Model(Variant):
    """A measure of a user model, computed as its definition says."""

    def plain(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value before its options; None when nothing is relevant."""
        if self.family == "Compat":
            return self.compatible(grades, ranking)
        if self.family == "Accuracy":
            return self.accurate(grades, ranking)
        low, high = self.options.get("min_rel", 0), self.options["max_rel"]
        scaled = {
            document: (min(max(grade, low), high) - low) / (high - low)
            for document, grade in grades.items()
            if grade >= 0
        }
        if not any(scaled.values()):
            return None
        depth = self.cutoff or 1000
        gains = [float(scaled.get(document, 0)) for document in ranking[:depth]]
        gains += [0.0] * (depth - len(gains))
        return self.stopped(gains) if self.family == "BPM" else self.walked(gains)

    def stopped(self, gains: list[float]) -> float:
        """Compute BPM."""
        totals = list(accumulate(gains))
        want = self.options.get("T", 1)
        stop = next((i for i, t in enumerate(totals) if t >= want), len(gains) - 1)
        return totals[stop] / (stop + 1)

    def walked(self, gains: list[float]) -> float:
        """Compute the mean gain of one who goes on from each document or not."""
        want, p = self.options.get("T", 1), self.options.get("p", 0.9)
        weight, gained, weighted, weights = 1.0, 0.0, 0.0, 0.0
        for i, gain in enumerate(gains, start=1):
            weighted += weight * gain
            weights += weight
            gained += gain
            wanted = i + 2 * want - (gained if self.family == "INST" else 0)
            if self.family in ("INSQ", "INST", "NERR11"):
                weight *= ((wanted - 1) / wanted) ** 2
            if self.family.startswith("NERR"):
                weight *= 1 - gain
            weight *= {"NERR9": i / (i + 1), "NERR10": p}.get(self.family, 1)
        return weighted / weights

    def compatible(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute Compat."""
        relevant = [d for d, grade in grades.items() if grade > 0]
        if not relevant:
            return None
        places = {document: i for i, document in enumerate(ranking)}
        ideal = sorted(
            relevant, key=lambda d: (-grades[d], places.get(d, len(ranking)))
        )
        depth, p = max(len(ranking), len(ideal)), self.options.get("p", 0.95)

        def overlap(documents: list[str]) -> float:
            total, found, best = 0.0, set[str](), set[str]()
            for i in range(depth):
                found.update(documents[i : i + 1])
                best.update(ideal[i : i + 1])
                total += p**i * len(found & best) / (i + 1)
            return total

        whole = sum(p**i for i in range(depth))
        if self.options.get("normalize", True):
            whole = overlap(ideal)
        return overlap(ranking) / whole

    def accurate(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute Accuracy, pair by pair."""
        rel = self.options.get("rel", 1)
        if not any(grade >= 0 and grade >= rel for grade in grades.values()):
            return None
        top = [grades.get(d, -1) for d in ranking[: self.cutoff]]
        relevant = [grade >= 0 and grade >= rel for grade in top]
        pairs = [
            good < bad
            for good, is_good in enumerate(relevant)
            for bad, is_bad in enumerate(relevant)
            if is_good and not is_bad
        ]
        return sum(pairs) / len(pairs) if pairs else float(any(relevant))


KS = (1, 2, 5, 10, 100)
SCALES = [
    {"min_rel": low, "max_rel": high}
    for low, high in ((0, 3), (0, 2), (0, 1.5), (1, 4), (0.25, 2), (-1, 2))
]
WANTED = (0.5, 1, 0.25, 2.5, 100, 2)
PERSISTENT = (0.01, 0.5, 0.9, 0.99, 0.999, 0.9)
OPTIONS: tuple[dict[str, Any], ...] = (
    *({"judged_only": True}, {"no_rel": 1}, {"no_rel": "omit"}),
    *({"missing": "omit"}, {"missing": "omit", "no_rel": 1}),
)


def models() -> dict[str, Model]:
    """Return measures by canonical name: each family, scale and option."""
    made: list[Model] = []
    for scale, t, p in zip(SCALES, WANTED, PERSISTENT, strict=True):
        wanted = {**scale, "T": t}
        made += [Model(f, None, wanted) for f in ("INSQ", "INST", "NERR11")]
        made += [Model("NERR10", None, {**scale, "p": p})]
        made += [Model("BPM", k, wanted) for k in KS]
        made += [Model(f, k, scale) for f in ("NERR8", "NERR9") for k in KS]
    for p in (0.01, 0.8, 0.95, 0.999):
        made += [Model("Compat", None, {"p": p, "normalize": n}) for n in (True, False)]
    made += [Model("Accuracy", k, {"rel": r}) for k in (None, *KS) for r in (0, 1, 2)]
    for options in OPTIONS:
        scaled = {**options, "max_rel": 3}
        made += [Model(f, 5, scaled) for f in ("BPM", "NERR8", "NERR9")]
        made += [Model(f, None, scaled) for f in ("INSQ", "INST", "NERR10", "NERR11")]
        made += [Model("Compat", None, options), Model("Accuracy", 5, options)]
    return {parse(model.name)[0].name: model for model in made}


MODELS = models()


@pytest.mark.parametrize("grades", [WHOLE, FRACTIONS], ids=["whole", "fractions"])
def test_the_formulas_give_the_same(tmp_path: Path, grades: tuple[float, ...]) -> None:
    queries = world(11, 60, grades)
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


SCALED = [
    *(
        f"{f}(T={t},max_rel={m})"
        for f in ("INSQ", "INST", "NERR11")
        for t in (0.5, 1.0, 3.0)
        for m in (2, 3, 4)
    ),
    *(
        f"BPM(T={t},max_rel={m})@{k}"
        for t in (1.0, 2.0, 2.5)
        for m in (2, 3)
        for k in KS
    ),
    *(
        f"{f}(max_rel={m})@{k}"
        for f in ("NERR8", "NERR9")
        for m in (2, 3, 4)
        for k in KS
    ),
    *(f"NERR10(p={p},max_rel={m})" for p in (0.1, 0.9, 0.999) for m in (3, 4)),
    *("INST(min_rel=1,max_rel=3)", "NERR8(min_rel=1,max_rel=4)@10"),
]
COMPAT = ["Compat", "Compat(p=0.8)", "Compat(p=0.9,normalize=False)"]
ACCURACY = ["Accuracy", "Accuracy@5", "Accuracy(rel=2)@10"]
IR_MEASURES = [*SCALED, *COMPAT, *ACCURACY]


@pytest.mark.parametrize("measures", [SCALED, COMPAT, ACCURACY], ids=lambda m: m[-1])
def test_ir_measures_gives_the_same(tmp_path: Path, measures: list[str]) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    pytest.importorskip("cwl")
    # Ties are broken the other way round there.
    size = 48 if measures is SCALED else 600
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
