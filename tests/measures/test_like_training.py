"""Values like those of the libraries that train rankers."""

import random
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import sql_files
from support.conventions import Like, covered, covers, equal
from support.evaluations import Values
from support.files import Judged, Ranked
from support.libraries import library


def all_returned(seed: int) -> tuple[Judged, Ranked]:
    """Return judgments and a run of the same documents, some with equal scores."""
    chance = random.Random(seed)
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for number in range(20):
        documents = [f"d{i}" for i in range(chance.randrange(2, 15))]
        judged[f"{number}"] = {d: chance.randrange(4) for d in documents}
        ranked[f"{number}"] = {d: chance.randrange(6) / 4 for d in documents}
    judged["0"] = dict.fromkeys(judged["0"], 0)
    return judged, ranked


@pytest.mark.slow
@covers("sklearn *")
def test_scikit_learn_has_the_same_values(like: Like) -> None:
    metrics = library("sklearn.metrics")
    judged, ranked = all_returned(3)
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


@pytest.mark.slow
@covers("torchmetrics *")
def test_torchmetrics_has_the_same_mean(like: Like) -> None:
    # The example of its documentation, which prints 0.8467.
    judged = {
        "0": {"a": 0, "b": 0, "c": 1},
        "1": {"a": 0, "b": 1, "c": 0, "d": 1},
    }
    ranked = {
        "0": {"a": 0.2, "b": 0.3, "c": 0.5},
        "1": {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.2},
    }
    (value,) = like.means("torchmetrics", judged, ranked, "nDCG")
    assert f"{value:.4f}" == "0.8467"
    # Tied items share their gains, and what was not returned is not known to it.
    judged = {"0": {"a": 10, "b": 5, "c": 0, "d": 0, "e": 1, "x": 7}, "1": {"a": 0}}
    ranked = {"0": {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0}, "1": {"a": 1}}
    found = like.queries("torchmetrics", judged, ranked, "nDCG@1", "nDCG")
    assert found["nDCG@1"] == {"0": equal(0.75), "1": 0}
    assert found["nDCG"] == {"0": equal(0.9279733092), "1": 0}


@pytest.mark.slow
@covers("lightgbm *", "lightgbm nDCG", "lightgbm AP")
def test_lightgbm_reports_the_same_means(like: Like) -> None:
    lightgbm = library("lightgbm")
    numpy = library("numpy")
    judged, ranked, labels, scores, sizes = listed(4)
    data = lightgbm.Dataset(
        numpy.zeros((len(labels), 1)),
        label=labels,
        group=sizes,
        init_score=scores,
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
    (value,) = like.means("lightgbm", judged, ranked, "nDCG(gains={1:5,2:6})@3")
    (plain,) = like.means(
        "trec_eval", judged, ranked, "nDCG(gains={1:5,2:6},no_rel=1)@3"
    )
    assert value == plain


def listed(
    seed: int,
) -> tuple[Judged, Ranked, list[float], list[float], list[int]]:
    """Return judgments and a run, and the same as labels, scores and group sizes."""
    chance = random.Random(seed)
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    sizes = [chance.randrange(2, 15) for _ in range(20)]
    for number, size in enumerate(sizes):
        documents = [f"d{i}" for i in range(size)]
        judged[f"{number}"] = {d: chance.randrange(4) for d in documents}
        order = chance.sample(range(100), size)
        ranked[f"{number}"] = {
            d: float(s) for d, s in zip(documents, order, strict=True)
        }
    judged["0"] = dict.fromkeys(judged["0"], 0)
    labels = [grade for grades in judged.values() for grade in grades.values()]
    scores = [score for query in ranked.values() for score in query.values()]
    return judged, ranked, labels, scores, sizes


@pytest.mark.slow
@covers("xgboost *", "xgboost nDCG", "xgboost AP")
def test_xgboost_reports_the_same_means(like: Like) -> None:
    xgboost = library("xgboost")
    numpy = library("numpy")
    judged, ranked, labels, scores, sizes = listed(5)

    def reported(metrics: dict[str, str], grades: list[float], **more: bool) -> Any:
        data = xgboost.DMatrix(numpy.zeros((len(grades), 1)), label=grades)
        data.set_group(sizes)
        data.set_base_margin(scores)
        asked = [*metrics.values()]
        given = {"objective": "rank:ndcg", "eval_metric": asked, "verbosity": 0, **more}
        text = xgboost.train(given, data, num_boost_round=0).eval(data)
        values = dict(pair.split(":") for pair in text.split("\t")[1:])
        return [float(values[f"eval-{name}"]) for name in asked]

    names = {
        "nDCG@3": "ndcg@3",
        "nDCG(no_rel=0)@3": "ndcg@3-",
        "nDCG@5": "ndcg@5",
        "nDCG": "ndcg",
    }
    known = reported(names, labels)
    assert like.means("xgboost", judged, ranked, *names) == equal(known)
    linear = {"nDCG(dcg='log2')@3": "ndcg@3"}
    known = reported(linear, labels, ndcg_exp_gain=False)
    assert like.means("xgboost", judged, ranked, *linear) == equal(known)
    # Its average precision takes labels of 0 and 1 only.
    judged = {q: {d: float(g > 1) for d, g in ds.items()} for q, ds in judged.items()}
    names = {"AP@3": "map@3", "AP(no_rel=0)@3": "map@3-", "AP@5": "map@5", "AP": "map"}
    known = reported(names, [float(label > 1) for label in labels])
    assert like.means("xgboost", judged, ranked, *names) == equal(known)


def test_each_convention_is_held_against_its_system() -> None:
    rows = sql_files.rows("systems")
    assert {f"{row['system']} {row['family']}" for row in rows} == covered(
        Path(__file__).parent
    )
    rules = {(row["system"], row["position_rule"]) for row in rows}
    assert len(rules) == len({system for system, _ in rules})
