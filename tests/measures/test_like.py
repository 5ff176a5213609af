"""Values like those of other systems, by the conventions of each."""

import json
import random
import re
from math import log2
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import sql_files
from support import exploring
from support.conventions import Like, covered, covers, equal
from support.evaluations import Values
from support.files import Judged, Ranked
from support.libraries import library

pytestmark = pytest.mark.mostly_slow
Lists = list[tuple[list[float | None], list[float]]]


def of_lists(lists: Lists) -> tuple[Judged, Ranked]:
    """Return judgments and a run, whose scores say the contrary of its order.

    Each query has grades by position, and those of documents not returned.
    """
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for number, (grades, others) in enumerate(lists):
        names = [f"d{i:02}" for i in range(len(grades))]
        known = {d: g for d, g in zip(names, grades, strict=True) if g is not None}
        known |= {f"x{i:02}": grade for i, grade in enumerate(others)}
        judged[f"q{number}"] = known
        ranked[f"q{number}"] = {d: float(i) for i, d in enumerate(names)}
    return judged, ranked


def some(seed: int) -> tuple[Judged, Ranked]:
    """Return random judgments and a run, listed in the order of its scores.

    A query is not answered, one has nothing relevant, one is not judged; some
    scores differ only as doubles, not as single floats.
    """
    chance = random.Random(seed)
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for number in range(12):
        query, documents = f"{number}", [f"d{i}" for i in range(20)]
        chance.shuffle(documents)
        judged[query] = {d: chance.randrange(4) for d in documents[:12]}
        chance.shuffle(documents)
        scores = sorted((chance.randrange(4) for _ in range(15)), reverse=True)
        ranked[query] = {
            d: score + 1e-9 * (20 - i)
            for i, (d, score) in enumerate(zip(documents, scores, strict=False))
        }
    judged["3"] = dict.fromkeys(judged["3"], 0)
    del ranked["4"], judged["5"]
    return judged, ranked


@covers("trec_eval *", "trec_eval-9 *", "beir *", "ir_measures *", "ir_measures IPrec")
@covers("pytrec_eval *", "mteb *")
@pytest.mark.parametrize(
    "system",
    exploring.mostly_slow(
        ["trec_eval", "trec_eval-9", "pytrec_eval", "beir", "mteb", "ir-measures"],
        *("trec_eval", "pytrec_eval"),
    ),
)
def test_trec_eval_and_its_kin_have_the_same_values(like: Like, system: str) -> None:
    pytrec_eval = library("pytrec_eval")
    names = {"nDCG@10": "ndcg_cut_10", "nDCG": "ndcg", "AP": "map", "P@5": "P_5"}
    if system in ("trec_eval-9", "pytrec_eval", "ir-measures"):
        names["IPrec@0.6"] = "iprec_at_recall_0.60"
    judged, ranked = some(1)
    doubles = ranked
    if system == "trec_eval":
        # The package compares single floats; version 10 compares doubles.
        doubles = {q: {d: -i for i, d in enumerate(ds)} for q, ds in ranked.items()}
    whole = {q: {d: int(g) for d, g in ds.items()} for q, ds in judged.items()}
    asked = {re.sub("_0.60$", "", name) for name in names.values()}
    known = pytrec_eval.RelevanceEvaluator(whole, asked).evaluate(doubles)
    found = like.queries(system, judged, ranked, *names)
    omitted = 0 if system in ("trec_eval", "ir-measures") else None
    for measure, name in names.items():
        expected = {query: values[name] for query, values in known.items()}
        assert found[measure].pop("4") == omitted
        assert found[measure] == equal(expected)
    means = like.means(system, judged, ranked, *names)
    answered = 10 if omitted is None else 11
    sums = [sum(v[name] for v in known.values()) for name in names.values()]
    assert means == equal([total / answered for total in sums])


@pytest.mark.quick
@covers("ir_measures nDCG", "ir_measures RR", "ir_measures Judged", "ir_measures ERR")
def test_ir_measures_has_the_same_means(like: Like) -> None:
    ir_measures = library("ir_measures")
    judged, ranked = some(2)
    names = ["nDCG@10", "AP(rel=2)", "P@5", "RR", "Judged@100"]
    measures = [ir_measures.parse_measure(name) for name in names]
    whole = {q: {d: int(g) for d, g in ds.items()} for q, ds in judged.items()}
    known = ir_measures.calc_aggregate(measures, whole, ranked)
    expected = [known[measure] for measure in measures]
    assert like.means("ir_measures", judged, ranked, *names) == equal(expected)


def dcg(*grades: float) -> float:
    """Return the sum of exponential gains by logarithmic discounts."""
    return sum((2**g - 1) / log2(i + 1) for i, g in enumerate(grades, start=1))


PHONES: Lists = [([3, 2, 3, 0, 1, 2], [3, 2])]
SHORT: Lists = [([3, 2], [3, 3, 1])]
BY_HAND: list[tuple[str, Lists, dict[str, float]]] = [
    (
        "quepid",
        PHONES,
        {
            "nDCG@4": dcg(3, 2, 3, 0) / dcg(3, 3, 3, 2, 2, 2, 1),
            "DCG@4": dcg(3, 2, 3, 0),
            "CG@4": 8,
            "ERR@2": 7 / 8 + (1 / 8) * (3 / 8) / 2,
            "AP": (1 + 1 + 1 + 4 / 5 + 5 / 6) / 7,
        },
    ),
    (
        "quepid-cut",
        PHONES,
        {"nDCG@6": 0.7510833874, "nDCG@4": dcg(3, 2, 3, 0) / dcg(3, 3, 3, 2)},
    ),
    ("evidently", PHONES, {"nDCG@6": 0.7850023721}),
    # The best list of Elasticsearch is as short as the returned one; that of
    # OpenSearch's workbench is not. Unjudged documents keep their positions.
    ("elasticsearch", SHORT, {"nDCG@10": dcg(3, 2) / dcg(3, 3), "DCG@10": dcg(3, 2)}),
    ("elasticsearch", [([3, 2, 3, None], [1])], {"DCG@10": 12.392789260714373}),
    (
        "elasticsearch",
        [([None, 1, 3], [2])],
        {
            **{"precision@10": 0.2, "precision": 2 / 3, "precision(rel=2)@10": 0.1},
            **{"recall@10": 2 / 3, "mean_reciprocal_rank@10": 1 / 2},
            "expected_reciprocal_rank(max_rel=3)@10": 1 / 8 / 2 + 7 / 8 * 7 / 8 / 3,
        },
    ),
    # As its functions return for ["x", "b", "a"] where a, b and c are expected.
    (
        "llamaindex",
        [([None, 1, 3], [2])],
        {
            "nDCG@10": (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3) + 1 / 2),
            "nDCG@2": 1 / log2(3) / (1 + 1 / log2(3) + 1 / 2),
            **{"hit_rate@10": 1, "MRR": 1 / 2, "precision": 2 / 3, "recall": 2 / 3},
            "AP": (1 / 2 + 2 / 3) / 3,
        },
    ),
    (
        "ragas",
        [([None, 1, 3], [2])],
        {
            "context_precision": (1 / 2 + 2 / 3) / 2,
            **{"id_based_context_precision": 2 / 3, "id_based_context_recall": 2 / 3},
        },
    ),
    ("opensearch", SHORT, {"nDCG@10": dcg(3, 2) / dcg(3, 3, 3, 2, 1)}),
]


@covers("quepid *", "quepid CG", "quepid ERR", "quepid-cut *", "evidently nDCG")
@covers("elasticsearch *", "elasticsearch DCG", "elasticsearch P", "elasticsearch R")
@covers("elasticsearch RR", "elasticsearch ERR", "opensearch *", "llamaindex *")
@covers("llamaindex P", "ragas *", "ragas AP", "ragas P", "ragas R")
@pytest.mark.parametrize(("system", "lists", "values"), BY_HAND)
def test_systems_that_rank_by_themselves_have_the_values_by_hand(
    like: Like, system: str, lists: Lists, values: dict[str, float]
) -> None:
    found = like.queries(system, *of_lists(lists), *values)
    assert {m: of_query["q0"] for m, of_query in found.items()} == equal(values)


def run_of(**ranked: dict[str, float]) -> dict[str, dict[str, float]]:
    """Return rankings by query."""
    return ranked


def by_place(*documents: int) -> dict[str, float]:
    """Return a ranking, best first; its scores say the contrary."""
    return {f"{document}": float(i) for i, document in enumerate(documents)}


SPARK = run_of(
    a=by_place(1, 6, 2, 7, 8, 3, 9, 10, 4, 5),
    b=by_place(4, 1, 5, 6, 2, 7, 3, 8, 9, 10),
    c=by_place(1, 2, 3, 4, 5),
)
RELEVANT = run_of(a=dict.fromkeys("12345", 1), b=dict.fromkeys("123", 1), c={"1": 0})
GRADED = run_of(
    a={"1": 3, "2": 2, "3": 1, "4": 1, "5": 1}, b={"1": 2, "2": 0, "3": 0}, c={"1": 0}
)
# Users a, b and c: c has nothing relevant, and what b bought was not recommended.
BOUGHT = run_of(a={"1": 5, "2": 1, "3": 2}, b={"9": 1}, c={"1": 0})
OFFERED = run_of(a={"1": 0.9, "4": 0.8, "2": 0.7}, b={"1": 0.9, "2": 0.8}, c={"1": 1})
# Of the documentation of ranx 0.3.21 and of torchmetrics.
RANX = run_of(a={"d_12": 5, "d_25": 3}, b={"d_11": 6, "d_22": 1})
RANX_RUN = run_of(
    a={"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    b={"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
)
TORCH = run_of(a={"a": 0, "b": 0, "c": 1}, b={"a": 0, "b": 1, "c": 0, "d": 1})
TORCH_RUN = run_of(
    a={"a": 0.2, "b": 0.3, "c": 0.5}, b={"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.2}
)
# Tied items share their gains, and what was not returned (x) is not known.
TIED = run_of(a={"a": 10, "b": 5, "c": 0, "d": 0, "e": 1, "x": 7}, b={"a": 0})
TIED_RUN = run_of(a={"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}, b={"a": 1})
MEANS: list[tuple[str, Judged, Ranked, dict[str, float]]] = [
    (
        "spark",
        RELEVANT,
        SPARK,
        {
            **{"nDCG@3": 0.333333333, "nDCG@5": 0.328788004, "nDCG@10": 0.487912746},
            **{"AP": 0.355026455, "P@3": 0.333333333, "R@10": 0.666666667},
        },
    ),
    (
        "spark-graded",
        GRADED,
        SPARK,
        {"nDCG@3": 0.511959753, "nDCG@5": 0.487806971, "nDCG@10": 0.518700621},
    ),
    (
        "spark",
        {query: RELEVANT[query] for query in "ab"},
        {"a": by_place(1, 6, 2)},
        {"nDCG@1": 0.5, "nDCG@2": 0.306573596},
    ),
    (
        "ranx",
        RANX,
        RANX_RUN,
        {
            "nDCG@5": 0.7861261099276952,
            "nDCG(dcg='exp-log2')@5": 0.8024377174572288,
            "nDCG(rel=2)@5": 0.7869721109504895,
            **{"AP@5": 0.6416666666666666, "RR": 0.75},
        },
    ),
    # RecBole 1.2 divides by k = 2 here; the second precision is beyond it.
    (
        "recbole",
        BOUGHT,
        OFFERED,
        {
            "NDCG@2": 1 / (1 + 1 / log2(3)) / 2,
            **{"MAP@2": 1 / 2 / 2, "Precision@2": 0.25, "Recall@2": 1 / 6},
            **{"MRR@2": 0.5, "Hit@2": 0.5},
        },
    ),
    ("recommenders", {"a": BOUGHT["a"]}, {"a": OFFERED["a"]}, {"MAP@2": 1 / 2}),
    (
        "torchmetrics",
        TORCH,
        TORCH_RUN,
        {"nDCG": (1 + (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))) / 2},
    ),
    ("torchmetrics", TIED, TIED_RUN, {"nDCG@1": 0.75 / 2, "nDCG": 0.927973309 / 2}),
]


@covers("spark *", "spark-graded *", "ranx *", "recbole *", "recbole AP")
@covers("recommenders AP", "torchmetrics *")
@pytest.mark.parametrize(("system", "judged", "ranked", "values"), MEANS)
def test_means_are_those_of_documentation_and_formulas(
    like: Like, system: str, judged: Judged, ranked: Ranked, values: dict[str, float]
) -> None:
    found = like.means(system, judged, ranked, *values)
    assert found == pytest.approx([*values.values()], rel=0, abs=1e-9)


@covers("recommenders *")
def test_recommenders_has_the_same_means(like: Like, shared: Path) -> None:
    text = (shared / "examples/recsys_vectors.json").read_text("utf-8")
    known = json.loads(text)["msrec"]
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for found, name in ((judged, "rating_true"), (ranked, "rating_pred")):
        for user, item, number in known[name]:
            found.setdefault(f"{user}", {})[f"{item}"] = number
    names = {"nDCG@10": "ndcg_at_k", "P@10": "precision_at_k", "R@10": "recall_at_k"}
    values = [pytest.approx(known[key], rel=0, abs=1e-5) for key in names.values()]
    assert like.means("recommenders", judged, ranked, *names) == values
    # A user without recommendations is in none of its means.
    judged["nobody"] = {"1": 5}
    assert like.means("recommenders", judged, ranked, *names) == values


@covers("mlflow *")
def test_mlflow_has_the_same_values(like: Like) -> None:
    metrics = library("sklearn.metrics")
    chance = random.Random(6)
    grades: Lists = [
        (
            [chance.choice([None, 0, 1, 2]) for _ in range(chance.randrange(2, 9))],
            [chance.randrange(3) for _ in range(8)],
        )
        for _ in range(20)
    ]
    judged, ranked = of_lists(grades)
    found = like.queries("mlflow", judged, ranked, "nDCG@5")["nDCG@5"]
    for query, documents in ranked.items():
        # It asks scikit-learn about the documents that were retrieved or are
        # relevant, as deep as documents were retrieved.
        shown = list(documents)[:5]
        relevant = {d for d, grade in judged[query].items() if grade >= 1}
        known = sorted({*shown, *relevant})
        true = [[float(d in relevant) for d in known]]
        score = [[1 / (shown.index(d) + 1) if d in shown else 0 for d in known]]
        value = metrics.ndcg_score(true, score, k=len(shown), ignore_ties=True)
        assert found[query] == equal(value if relevant else 0), query


def all_returned(
    seed: int, tied: bool = False
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Return judgments and a run of the same documents, the first query of zeros."""
    chance = random.Random(seed)
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for number in range(20):
        documents = [f"d{i}" for i in range(chance.randrange(2, 15))]
        scores = chance.sample(range(100), len(documents))
        judged[f"{number}"] = {d: chance.randrange(4) for d in documents}
        ranked[f"{number}"] = {
            d: chance.randrange(6) / 4 if tied else float(score)
            for d, score in zip(documents, scores, strict=True)
        }
    judged["0"] = dict.fromkeys(judged["0"], 0)
    return judged, ranked


def flat(queries: Judged) -> list[float]:
    """Return all numbers, one query after the other."""
    return [number for query in queries.values() for number in query.values()]


@covers("sklearn *")
def test_scikit_learn_has_the_same_values(like: Like) -> None:
    metrics = library("sklearn.metrics")
    judged, ranked = all_returned(3, tied=True)
    # It is asked about what was returned, and knows of nothing else.
    known_too = {q: {**grades, "x": 3.0} for q, grades in judged.items()}
    known: Values = {name: {} for name in ("nDCG@5", "nDCG", "DCG@3")}
    for query, scores in ranked.items():
        true, score = [[*judged[query].values()]], [[*scores.values()]]
        known["nDCG@5"][query] = metrics.ndcg_score(true, score, k=5)
        known["nDCG"][query] = metrics.ndcg_score(true, score)
        known["DCG@3"][query] = metrics.dcg_score(true, score, k=3)
    found = like.queries("sklearn", known_too, ranked, *known)
    assert found == {name: equal(values) for name, values in known.items()}


@covers("lightgbm *", "lightgbm nDCG", "lightgbm AP")
def test_lightgbm_reports_the_same_means(like: Like) -> None:
    lightgbm, numpy = library("lightgbm"), library("numpy")
    judged, ranked = all_returned(4)
    data = lightgbm.Dataset(
        numpy.zeros((len(flat(judged)), 1)),
        label=flat(judged),
        group=[*map(len, judged.values())],
        init_score=flat(ranked),
        params={"verbose": -1, "feature_pre_filter": False},
    )
    reported: dict[str, dict[str, list[float]]] = {}
    metrics = {"metric": ["ndcg", "map"], "eval_at": [3, 5]}
    # Nothing can be learned from zeros: the scores stay as they are.
    lightgbm.train(
        {"objective": "lambdarank", "verbose": -1, **metrics},
        data,
        num_boost_round=1,
        valid_sets=[data],
        valid_names=["own"],
        callbacks=[lightgbm.record_evaluation(reported)],
    )
    names = {"nDCG@3": "ndcg@3", "nDCG@5": "ndcg@5", "AP@3": "map@3", "AP@5": "map@5"}
    known = [reported["own"][name][0] for name in names.values()]
    assert like.means("lightgbm", judged, ranked, *names) == equal(known)
    # Its label_gain, which takes the place of the exponential gain.
    gains = "nDCG(gains={1:5,2:6})@3"
    plain = like.means("trec_eval", judged, ranked, gains.replace(")", ",no_rel=1)"))
    assert like.means("lightgbm", judged, ranked, gains) == plain


@covers("xgboost *", "xgboost nDCG", "xgboost AP")
def test_xgboost_reports_the_same_means(like: Like) -> None:
    xgboost, numpy = library("xgboost"), library("numpy")
    judged, ranked = all_returned(5)
    # Its average precision takes labels of 0 and 1 only.
    binary = {q: {d: float(g > 1) for d, g in ds.items()} for q, ds in judged.items()}

    def same(judged: Judged, names: dict[str, str], **more: bool) -> None:
        grades = flat(judged)
        data = xgboost.DMatrix(numpy.zeros((len(grades), 1)), label=grades)
        data.set_group([*map(len, judged.values())])
        data.set_base_margin(flat(ranked))
        asked = [*names.values()]
        given = {"objective": "rank:ndcg", "eval_metric": asked, "verbosity": 0, **more}
        text = xgboost.train(given, data, num_boost_round=0).eval(data)
        values: Any = dict(pair.split(":") for pair in text.split("\t")[1:])
        known = [float(values[f"eval-{name}"]) for name in asked]
        assert like.means("xgboost", judged, ranked, *names) == equal(known)

    ndcgs = {"nDCG@3": "ndcg@3", "nDCG(no_rel=0)@3": "ndcg@3-", "nDCG": "ndcg"}
    same(judged, ndcgs)
    same(judged, {"nDCG(dcg='log2')@3": "ndcg@3"}, ndcg_exp_gain=False)
    same(binary, {"AP@3": "map@3", "AP(no_rel=0)@3": "map@3-", "AP": "map"})


@pytest.mark.quick
def test_each_convention_is_held_against_its_system() -> None:
    rows = sql_files.rows("systems")
    assert {f"{row['system']} {row['family']}" for row in rows} == covered(
        Path(__file__).parent
    )
    rules = {(row["system"], row["position_rule"]) for row in rows}
    assert len(rules) == len({system for system, _ in rules})
