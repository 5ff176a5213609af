"""Values like those of other systems, by the conventions of each."""

import json
import math
import random
import re
from pathlib import Path
from typing import Any

import pytest

from support import exploring
from support.commands import Command
from support.conventions import Like, covers, equal
from support.files import Judged, Ranked
from support.libraries import library

pytestmark = pytest.mark.mostly_slow


def digits(value: float) -> Any:
    """Return what compares equal to a number that was printed with six digits."""
    return pytest.approx(value, rel=0, abs=1e-5)


def examples(folder: Path, name: str) -> dict[str, Any]:
    """Return the vectors of a file of examples."""
    return json.loads((folder / "examples" / f"{name}.json").read_text("utf-8"))


def rows(
    grades: list[float | None], others: list[float] | None = None
) -> tuple[dict[str, float], dict[str, float]]:
    """Return judgments and a ranking of one query whose scores say the contrary."""
    names = [f"d{i:02}" for i in range(len(grades))]
    judged = {d: g for d, g in zip(names, grades, strict=True) if g is not None}
    judged |= {f"x{i:02}": g for i, g in enumerate(others or [])}
    return judged, {document: float(i) for i, document in enumerate(names)}


def of_single_queries(
    lists: list[tuple[list[float | None], list[float]]],
) -> tuple[Judged, Ranked]:
    """Return judgments and a run from the grades of each query, best position first.

    The second list has the grades of documents that were not returned.
    """
    pairs = {f"q{i}": rows(*given) for i, given in enumerate(lists)}
    judged = {query: pair[0] for query, pair in pairs.items()}
    # A query without a ranking is one that nobody answered.
    return judged, {query: pair[1] for query, pair in pairs.items() if pair[1]}


def some(seed: int, grades: int = 4) -> tuple[Judged, Ranked]:
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
        judged[query] = {d: chance.randrange(grades) for d in documents[:12]}
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
@covers(
    "ir_measures *",
    "ir_measures nDCG",
    "ir_measures RR",
    "ir_measures Judged",
    "ir_measures ERR",
)
def test_ir_measures_has_the_same_means(like: Like) -> None:
    ir_measures = library("ir_measures")
    judged, ranked = some(2)
    names = ["nDCG@10", "AP(rel=2)", "P@5", "RR", "Judged@100"]
    measures = [ir_measures.parse_measure(name) for name in names]
    whole = {q: {d: int(g) for d, g in ds.items()} for q, ds in judged.items()}
    known = ir_measures.calc_aggregate(measures, whole, ranked)
    assert like.means("ir_measures", judged, ranked, *names) == equal(
        [known[measure] for measure in measures]
    )


@covers("gdeval *", "gdeval ERR")
def test_gdeval_prints_the_same_means(ndcg: Command, shared: Path) -> None:
    folder = shared / "web13"
    files = (folder / "qrels.web.201-250.txt.gz", folder / "run.cwindri.gz")
    asked = ("eval", *files, "--like", "gdeval", "-m", "nDCG@20", "-m", "ERR@20")
    result = ndcg(*asked, "--format", "json")
    assert result.err == (
        "like gdeval: nDCG(dcg='exp-log2',missing='omit')@20, ERR(missing='omit')@20,"
        " positions score; remaining differences: values are printed with 5 decimals\n"
    )
    values = [f"{row['value']:.5f}" for row in json.loads(result.out)]
    assert values == ["0.18771", "0.10393"]


@covers("ranx *")
def test_ranx_has_the_same_means(like: Like) -> None:
    # The example of its documentation, where nDCG@5 is 0.7861; the other
    # values are those of ranx 0.3.21.
    judged = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    first = ["d_12", "d_23", "d_25", "d_36", "d_32", "d_35"]
    second = ["d_12", "d_11", "d_25", "d_36", "d_22", "d_35"]
    ranked = {
        "q_1": dict(zip(first, scores, strict=True)),
        "q_2": dict(zip(second, scores, strict=True)),
    }
    names = ["nDCG@5", "nDCG(dcg='exp-log2')@5", "nDCG(rel=2)@5", "AP@5", "RR"]
    known = [0.7861261099276952, 0.8024377174572288, 0.7869721109504895]
    known += [0.6416666666666666, 0.75]
    assert like.means("ranx", judged, ranked, *names) == equal(known)


@covers("spark *", "spark-graded *")
def test_spark_has_the_same_means(like: Like, shared: Path) -> None:
    known = examples(shared, "worked_examples")["spark"]
    binary, graded, few = known["binary"], known["graded"], known["few"]

    def lists(labels: list[list[float]], preds: list[list[int]]) -> Any:
        # Spark counts 0 for a query without labels: here its documents have none.
        judged = {
            f"q{i}": dict(zip(map(str, documents), grades, strict=True)) or {"1": 0.0}
            for i, (documents, grades) in enumerate(
                zip(binary["labels"], labels, strict=False)
            )
        }
        ranked = {
            f"q{i}": {f"{document}": float(rank) for rank, document in enumerate(pred)}
            for i, pred in enumerate(preds)
            if pred
        }
        return judged, ranked

    grades = graded["rel"]
    cutoffs = ["nDCG@3", "nDCG@5", "nDCG@10"]
    found = like.means(
        "spark", *lists([grades[0], [1, 1, 1], []], binary["preds"]), *cutoffs, "AP"
    )
    values = [binary["ndcg3"], binary["ndcg5"], binary["ndcg10"], binary["map"]]
    assert found == digits_of(values)
    found = like.means("spark-graded", *lists(grades, binary["preds"]), *cutoffs)
    assert found == digits_of([graded["ndcg3"], graded["ndcg5"], graded["ndcg10"]])
    found = like.means(
        "spark", *lists([[1.0] * 5, [1.0] * 3], few["preds"]), "nDCG@1", "nDCG@2"
    )
    assert found == digits_of([few["ndcg1"], few["ndcg2"]])


def digits_of(values: list[float]) -> list[Any]:
    """Return what compares equal to numbers that were printed with some digits."""
    return [digits(value) for value in values]


@covers("recommenders *")
def test_recommenders_has_the_same_means(like: Like, shared: Path) -> None:
    known = examples(shared, "recsys_vectors")["msrec"]
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for found, name in ((judged, "rating_true"), (ranked, "rating_pred")):
        for user, item, number in known[name]:
            found.setdefault(f"{user}", {})[f"{item}"] = number
    names = {"nDCG@10": "ndcg_at_k", "P@10": "precision_at_k", "R@10": "recall_at_k"}
    values = [digits(known[key]) for key in names.values()]
    assert like.means("recommenders", judged, ranked, *names) == values
    # A user without recommendations is in none of its means.
    judged["nobody"] = {"1": 5}
    assert like.means("recommenders", judged, ranked, *names) == values


@covers("recommenders AP", "recbole *", "recbole AP")
def test_recommender_tools_cut_what_they_divide_by(like: Like) -> None:
    """By the formulas of RecBole 1.2 and of map_at_k of recommenders 1.2."""
    judged = {"a": {"1": 5, "2": 1, "3": 2}, "b": {"9": 1}, "c": {"1": 0}}
    ranked = {
        "a": {"1": 0.9, "4": 0.8, "2": 0.7},
        "b": {"1": 0.9, "2": 0.8},
        "c": {"1": 1},
    }
    ideal = 1 + 1 / math.log2(3)
    divided = (1 + 0) / 2  # The second precision is at position 3, beyond k = 2.
    known = [1 / ideal / 2, divided / 2, 0.25, 1 / 6, 0.5, 0.5]
    names = ["NDCG@2", "MAP@2", "Precision@2", "Recall@2", "MRR@2", "Hit@2"]
    assert like.means("recbole", judged, ranked, *names) == equal(known)
    found = like.queries("recommenders", judged, ranked, "MAP@2")
    assert found["MAP@2"]["a"] == divided


# The rankings of the worked example: grades by position, then those not returned.
WORKED: tuple[list[float | None], list[float]] = ([3, 2, 3, 0, 1, 2], [3, 2])


def gain(grade: float) -> float:
    """Return an exponential gain."""
    return 2**grade - 1


def dcg(grades: list[float]) -> float:
    """Return the sum of exponential gains by logarithmic discounts."""
    return sum(gain(g) / math.log2(i + 1) for i, g in enumerate(grades, start=1))


@covers("quepid *", "quepid CG", "quepid ERR", "quepid-cut *")
def test_quepid_has_the_same_values(like: Like) -> None:
    judged, ranked = of_single_queries([WORKED])
    found = like.queries(
        "quepid", judged, ranked, "nDCG@4", "DCG@4", "CG@4", "ERR@2", "AP"
    )
    shown = [3.0, 2.0, 3.0, 0.0]
    assert found["nDCG@4"]["q0"] == equal(
        dcg(shown) / dcg([3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 1.0])
    )
    assert found["DCG@4"]["q0"] == equal(dcg(shown))
    assert found["CG@4"]["q0"] == 8
    assert found["ERR@2"]["q0"] == equal(7 / 8 + (1 / 8) * (3 / 8) / 2)
    hits = [1 / 1, 2 / 2, 3 / 3, 4 / 5, 5 / 6]
    assert found["AP"]["q0"] == equal(sum(hits) / 7)
    cut = like.queries("quepid-cut", judged, ranked, "nDCG@6", "nDCG@4")
    assert cut["nDCG@6"]["q0"] == equal(0.7510833874)
    assert cut["nDCG@4"]["q0"] == equal(dcg(shown) / dcg([3.0, 3.0, 3.0, 2.0]))


@covers("elasticsearch *", "elasticsearch DCG", "opensearch *")
def test_elasticsearch_and_opensearch_have_the_same_values(
    like: Like, shared: Path
) -> None:
    known = examples(shared, "worked_examples")["opensearch_dcg"]
    missing, at4 = known["missing"], known["at4"]
    given: list[tuple[list[float | None], list[float]]] = [
        (known["ranked_rels"], []),
        (missing["ranked_rels"], []),
        (at4["ranked_rels"], at4["also_judged"]),
        ([3, 2], [3, 3, 1]),
    ]
    judged, ranked = of_single_queries(given)
    found = like.queries("elasticsearch", judged, ranked, "nDCG@10", "DCG@10")
    for query, vector in (("q0", known), ("q1", missing), ("q2", at4)):
        assert found["DCG@10"][query] == equal(vector["dcg"])
        assert found["nDCG@10"][query] == equal(vector["dcg"] / vector["idcg"])
    # The best list of Elasticsearch is as short as the returned one; that of
    # OpenSearch's workbench is not.
    best = {"elasticsearch": [3.0, 3.0], "opensearch": [3.0, 3.0, 3.0, 2.0, 1.0]}
    for system, grades in best.items():
        found = like.queries(system, judged, ranked, "nDCG@10")["nDCG@10"]
        assert found["q0"] == equal(known["dcg"] / known["idcg"])
        assert found["q1"] == equal(missing["dcg"] / missing["idcg"])
        assert found["q3"] == equal(dcg([3.0, 2.0]) / dcg(grades))


@covers("mlflow *")
def test_mlflow_has_the_same_values(like: Like) -> None:
    metrics = library("sklearn.metrics")
    chance = random.Random(6)
    grades: list[tuple[list[float | None], list[float]]] = [
        (
            [chance.choice([None, 0, 1, 2]) for _ in range(chance.randrange(2, 9))],
            [chance.randrange(3) for _ in range(8)],
        )
        for _ in range(20)
    ]
    judged, ranked = of_single_queries(grades)
    found = like.queries("mlflow", judged, ranked, "nDCG@5")["nDCG@5"]
    for query, documents in ranked.items():
        # It asks scikit-learn about the documents that were retrieved or are
        # relevant, as deep as documents were retrieved.
        shown = list(documents)[:5]
        relevant = {d for d, grade in judged[query].items() if grade >= 1}
        known = sorted({*shown, *relevant})
        true = [[float(d in relevant) for d in known]]
        score = [[1 / (shown.index(d) + 1) if d in shown else 0 for d in known]]
        cut = len(shown)
        value = metrics.ndcg_score(true, score, k=cut, ignore_ties=True)
        assert found[query] == equal(value if relevant else 0), query


@covers("evidently nDCG")
def test_evidently_has_the_same_values(like: Like) -> None:
    judged, ranked = of_single_queries([WORKED])
    (value,) = like.means("evidently", judged, ranked, "nDCG@6")
    assert value == equal(0.7850023721)
