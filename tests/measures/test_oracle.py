"""Random queries: every value against that of other programs."""

from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.compared import agree
from support.evaluations import Evaluation, assert_close
from support.libraries import library, program
from support.oracles import (
    ACCURACY,
    COMPAT,
    CUTOFFS,
    IR_MEASURES,
    SCALED,
    TREC_EVAL,
    TREC_EVAL_COUNTS,
    trec_eval,
)
from support.worlds import FRACTIONS, NEAR, SHAPES, World, world


@pytest.mark.parametrize("size", [exploring.amount(96, 2400)])
@pytest.mark.parametrize("rule", ["score", "score32"])
def test_trec_eval_gives_the_same(tmp_path: Path, rule: str, size: int) -> None:
    drawn = NEAR if rule == "score32" else (0.5, 1, 1.5, 2)
    queries = world(1, size, scores=drawn)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [*TREC_EVAL], rule)
    assert_close(found, trec_eval(queries, TREC_EVAL), "trec_eval")
    for values in found.queries.values():
        assert set(values) == set(queries.judged)


def test_trec_eval_counts_the_same(tmp_path: Path) -> None:
    # Of queries without an answer or a grade of 0 or more it says nothing at all.
    shapes = tuple(s for s in SHAPES if s not in ("negative", "unanswered"))
    queries = world(8, 400, grades=(0, 0, 1, 2, 3), shapes=shapes)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [*TREC_EVAL_COUNTS])
    assert_close(found, trec_eval(queries, TREC_EVAL_COUNTS), "trec_eval")


@pytest.mark.parametrize("size", [exploring.amount(120, 600)])
def test_trec_eval_gives_the_same_for_exponential_grades(
    tmp_path: Path, size: int
) -> None:
    queries = world(2, size)
    judged = {
        q: {d: 2**g - 1 if g > 0 else g for d, g in grades.items()}
        for q, grades in queries.judged.items()
    }
    exponential = World(judged, queries.ranked)
    names = {f"nDCG(dcg='exp-log2')@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    names["nDCG(dcg='exp-log2')"] = "ndcg"
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(names))
    assert_close(found, trec_eval(exponential, names), "trec_eval")


@pytest.mark.parametrize(
    ("measures", "size"),
    [
        (IR_MEASURES, exploring.amount(120, 600)),
        pytest.param(SCALED, 48, marks=pytest.mark.slow),
        pytest.param(COMPAT, 240, marks=pytest.mark.slow),
        pytest.param(ACCURACY, 240, marks=pytest.mark.slow),
    ],
    ids=["IR_MEASURES", "SCALED", "COMPAT", "ACCURACY"],
)
def test_ir_measures_gives_the_same(
    tmp_path: Path, measures: list[str], size: int
) -> None:
    ir_measures = library("ir_measures")
    library("cwl")
    # RR@5 and Judged break ties the other way there, and a negative grade is judged.
    shapes = tuple(shape for shape in SHAPES if shape not in ("tied", "negative"))
    queries = world(3, size, grades=(0, 0, 1, 2, 3), shapes=shapes)
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
        # Asked together, one measure may get the gains of another there.
        asked = [ir_measures.parse_measure(measure)]
        metrics = list(ir_measures.iter_calc(asked, queries.judged, ranked))
        assert len(metrics) > size // 4
        # Accuracy has no value there where nothing relevant was found.
        expected[measure] = dict.fromkeys(queries.judged, 0)
        expected[measure] |= {metric.query_id: metric.value for metric in metrics}
    assert_close(found, expected, "ir_measures")


@pytest.mark.parametrize("k", exploring.mostly_slow([1, 2, 4, 8], 4))
def test_scikit_learn_has_the_same_f(tmp_path: Path, k: int) -> None:
    metrics = library("sklearn.metrics")
    returned, relevant = "abcdefgh", "bdgxyz"
    judged = {"q": dict.fromkeys(relevant, 1.0)}
    ranked = {"q": {document: -float(i) for i, document in enumerate(returned)}}
    every = sorted({*returned, *relevant})
    true = [document in relevant for document in every]
    chosen = [document in returned[:k] for document in every]
    expected = {
        f"F(beta={b})@{k}": metrics.fbeta_score(true, chosen, beta=b, zero_division=0)
        for b in (0.5, 1, 2)
    }
    found = Evaluation(tmp_path, judged, ranked, list(expected))
    by_query = {m: {"q": value} for m, value in expected.items()}
    assert_close(found, by_query, "scikit-learn", 3)


def test_gdeval_prints_the_same(tmp_path: Path) -> None:
    # The language that gdeval is written in.
    program("perl")
    ir_measures = library("ir_measures")
    queries = world(4, 900, grades=(-1, 0, 0, 1, 2, 4), prefixes=("d",))
    measure = "nDCG(dcg='exp-log2')@10"
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [measure])
    judged = {q: g for q, g in queries.judged.items() if max(g.values()) > 0}
    ranked = {q: s for q, s in queries.ranked.items() if q in judged}
    asked = ir_measures.parse_measure(measure)
    values = {
        m.query_id: m.value for m in ir_measures.iter_calc([asked], judged, ranked)
    }
    assert len(values) > 400
    ours = {query: found.query(measure, query) for query in values}
    agree("gdeval", "nDCG", ours, values, abs=5.1e-6)


@pytest.mark.parametrize("tied", [True, False])
def test_scikit_learn_gives_the_same(tmp_path: Path, tied: bool) -> None:
    metrics = library("sklearn.metrics")
    dcg, ndcg = metrics.dcg_score, metrics.ndcg_score
    shapes = ("plain", "tied") if tied else ("plain", "sparse", "long", "lost")
    ties = ",ties='mean'" if tied else ""
    queries = world(10 if tied else 5, 48, grades=FRACTIONS, shapes=shapes)
    expected: dict[str, dict[str, Any]] = {}
    for query, scores in queries.ranked.items():
        grades = [max(queries.judged[query].get(d, 0), 0) for d in scores]
        predicted = [list(scores.values())]
        for kind, true in (
            ("dcg='log2'", [grades]),
            ("dcg='exp-log2'", [[2**grade - 1 for grade in grades]]),
        ):
            for k in (None, 1, 5, 50):
                asked = {"k": k, "ignore_ties": not tied}
                values = {
                    f"DCG({kind}{ties})": dcg(true, predicted, **asked),
                    f"nDCG({kind},ideal='retrieved'{ties})": ndcg(
                        true, predicted, **asked
                    ),
                    f"DCG({kind},base=10{ties})": dcg(
                        true, predicted, log_base=10, **asked
                    ),
                }
                if not tied:
                    best = dcg(true, true, **asked)
                    values[f"IDCG({kind},ideal='retrieved')"] = best
                for parameters, value in values.items():
                    measure = parameters + (f"@{k}" if k else "")
                    expected.setdefault(measure, {})[query] = float(value)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(expected))
    assert_close(found, expected, "scikit-learn")
