"""Random queries: every value against that of other programs."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Evaluation
from worlds import FRACTIONS, NEAR, SHAPES, World, assert_close, world


def trec_eval(world: World, names: dict[str, str]) -> dict[str, dict[str, Any]]:
    """Return what pytrec_eval gives by measure and query; 0 for no answer."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    whole = {
        query: {document: int(grade) for document, grade in grades.items()}
        for query, grades in world.judged.items()
        # A query with only negative grades makes it crash; its value is 0 here.
        if max(grades.values()) >= 0
    }
    evaluator = pytrec_eval.RelevanceEvaluator(whole, set(names.values()))
    values = evaluator.evaluate(world.ranked)
    assert set(values) == set(whole) & set(world.ranked)
    return {
        measure: {q: values.get(q, {}).get(name, 0) for q in world.judged}
        for measure, name in names.items()
    }


CUTOFFS = (1, 3, 5, 10, 20, 100, 1000)
CUT = (("nDCG", "ndcg_cut"), ("AP", "map_cut"), ("R", "recall"))
TENTHS = range(11)
TREC_EVAL = {
    **{"nDCG": "ndcg", "AP": "map", "RR": "recip_rank"},
    **{f"{family}@{k}": f"{name}_{k}" for family, name in CUT for k in CUTOFFS},
    **{f"Success@{k}": f"success_{k}" for k in CUTOFFS},
    **{f"P@{k}": f"P_{k}" for k in CUTOFFS},
    **{f"relative_P@{k}": f"relative_P_{k}" for k in CUTOFFS},
    **{"Rprec": "Rprec", "Bpref": "bpref", "SetP": "set_P", "SetR": "set_recall"},
    **{"infAP": "infAP", "binG": "binG", "gm_map": "map", "gm_bpref": "bpref"},
    **{name: name for name in ("G", "ndcg_rel", "Rndcg", "num_nonrel_judged_ret")},
    # It adds 0.9 before it cuts to a whole number.
    "11pt_avg(rounding=0.9)": "11pt_avg",
    **{
        f"IPrec(rounding=0.9)@{i / 10}": f"iprec_at_recall_{i / 10:.2f}" for i in TENTHS
    },
    **{f"Rprec_mult@{i / 5}": f"Rprec_mult_{i / 5:.2f}" for i in TENTHS[1:]},
    "NumRet(rel=1)": "num_rel_ret",
    **{"SetP(relative=true)": "set_relative_P", "SetAP": "set_map", "SetF": "set_F"},
}
TREC_EVAL_COUNTS = {
    **{"NumQ": "num_q", "NumRet": "num_ret", "NumRel": "num_rel"},
    "utility": "utility",
}


@pytest.mark.parametrize("rule", ["score", "score32"])
def test_trec_eval_gives_the_same(tmp_path: Path, rule: str) -> None:
    drawn = NEAR if rule == "score32" else (0.5, 1, 1.5, 2)
    queries = world(1, 2400, scores=drawn)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [*TREC_EVAL], rule)
    assert_close(found, trec_eval(queries, TREC_EVAL))
    for values in found.queries.values():
        assert set(values) == set(queries.judged)


def test_trec_eval_counts_the_same(tmp_path: Path) -> None:
    # Of queries without an answer or a grade of 0 or more it says nothing at all.
    shapes = tuple(s for s in SHAPES if s not in ("negative", "unanswered"))
    queries = world(8, 400, grades=(0, 0, 1, 2, 3), shapes=shapes)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, [*TREC_EVAL_COUNTS])
    assert_close(found, trec_eval(queries, TREC_EVAL_COUNTS))


def test_trec_eval_gives_the_same_for_exponential_grades(tmp_path: Path) -> None:
    queries = world(2, 600)
    exponential = {
        q: {d: 2**g - 1 if g > 0 else g for d, g in grades.items()}
        for q, grades in queries.judged.items()
    }
    names = {f"nDCG(dcg='exp-log2')@{k}": f"ndcg_cut_{k}" for k in CUTOFFS}
    names["nDCG(dcg='exp-log2')"] = "ndcg"
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(names))
    assert_close(found, trec_eval(World(exponential, queries.ranked), names))


IR_MEASURES = [
    *("nDCG", "nDCG@5", "nDCG(gains={0:2,1:3,2:7})@10", "nDCG(gains={1:3,2:7})"),
    *("P(rel=2)@5", "AP(rel=2)", "AP(rel=2)@10", "R(rel=2)@10"),
    *("RR", "RR(rel=2)", "RR@5", "Success(rel=2)@5", "Judged@5", "Judged@100"),
    *("Rprec(rel=2)", "Bpref(rel=2)", "SetP(rel=2)", "SetR(rel=2)", "SetF(rel=2)"),
    *("RBP(rel=1)", "RBP(rel=2,p=0.5)"),
    *("SDCG(max_rel=3)@5", "SDCG(max_rel=2)@10"),
]


def test_ir_measures_gives_the_same(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    # RR@5 and Judged break ties the other way there, and a negative grade is judged.
    shapes = tuple(shape for shape in SHAPES if shape not in ("tied", "negative"))
    queries = world(3, 600, grades=(0, 0, 1, 2, 3), shapes=shapes)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, IR_MEASURES)
    expected: dict[str, dict[str, Any]] = {}
    for measure in IR_MEASURES:
        # Asked together, one measure may get the gains of another there.
        asked = [ir_measures.parse_measure(measure)]
        metrics = ir_measures.iter_calc(asked, queries.judged, queries.ranked)
        expected[measure] = {metric.query_id: metric.value for metric in metrics}
        assert set(expected[measure]) == set(queries.judged)
    assert_close(found, expected)


@pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval needs perl")
def test_gdeval_prints_the_same(tmp_path: Path) -> None:
    ir_measures = pytest.importorskip("ir_measures")
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
    for query, value in values.items():
        assert found.query(measure, query) == pytest.approx(value, abs=5.1e-6), query


def test_scikit_learn_shares_gains_among_ties(tmp_path: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    queries = world(10, 120, grades=FRACTIONS, shapes=("plain", "tied"))
    expected: dict[str, dict[str, Any]] = {}
    for query, scores in queries.ranked.items():
        true = [[max(queries.judged[query].get(d, 0), 0) for d in scores]]
        predicted = [list(scores.values())]
        for k in (None, 1, 5, 50):
            at = f"@{k}" if k else ""
            for measure, value in {
                f"DCG(ties='mean'){at}": metrics.dcg_score(true, predicted, k=k),
                f"nDCG(ideal='retrieved',ties='mean'){at}": metrics.ndcg_score(
                    true, predicted, k=k
                ),
            }.items():
                expected.setdefault(measure, {})[query] = float(value)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(expected))
    assert_close(found, expected)


def test_scikit_learn_gives_the_same(tmp_path: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    dcg, ndcg = metrics.dcg_score, metrics.ndcg_score
    queries = world(
        5, 240, grades=FRACTIONS, shapes=("plain", "sparse", "long", "lost")
    )
    expected: dict[str, dict[str, Any]] = {}
    for query, scores in queries.ranked.items():
        grades = [max(queries.judged[query].get(d, 0), 0) for d in scores]
        predicted = [list(scores.values())]
        for kind, true in (
            ("dcg='log2'", [grades]),
            ("dcg='exp-log2'", [[2**grade - 1 for grade in grades]]),
        ):
            for k in (None, 1, 5, 50):
                asked = {"k": k, "ignore_ties": True}
                for parameters, value in {
                    f"DCG({kind})": dcg(true, predicted, **asked),
                    f"DCG({kind},base=10)": dcg(true, predicted, log_base=10, **asked),
                    f"nDCG({kind},ideal='retrieved')": ndcg(true, predicted, **asked),
                    f"IDCG({kind},ideal='retrieved')": dcg(true, true, **asked),
                }.items():
                    measure = parameters + (f"@{k}" if k else "")
                    expected.setdefault(measure, {})[query] = float(value)
    found = Evaluation(tmp_path, queries.judged, queries.ranked, list(expected))
    assert_close(found, expected)
