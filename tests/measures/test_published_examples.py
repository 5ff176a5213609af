"""Published examples of papers and libraries, as they print them."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from support.evaluations import Evaluation, graded
from support.files import Judged, Ranked

Make = Callable[..., Evaluation]


def vectors(folder: Path, name: str) -> dict[str, Any]:
    """Return the vectors of a file of examples."""
    return json.loads((folder / "examples" / f"{name}.json").read_text("utf-8"))


def digits(number: float) -> Any:
    """Return what compares equal as closely as a published number was printed."""
    decimals = len(repr(number).partition(".")[2])
    return pytest.approx(number, rel=0, abs=max(1e-9, 10.0**-decimals))


def together(
    rankings: Mapping[str, list[float | None]], others: Mapping[str, list[float]]
) -> tuple[Judged, Ranked]:
    """Return judgments and a run of several queries from grades by position."""
    pairs = {q: graded(grades, others.get(q)) for q, grades in rankings.items()}
    judged = {q: judged["q"] for q, (judged, _) in pairs.items()}
    return judged, {q: ranked["q"] for q, (_, ranked) in pairs.items()}


def test_published_cumulated_gains_are_met(shared: Path, evaluate: Make) -> None:
    known = vectors(shared, "worked_examples")
    paper, search = known["jarvelin_kekalainen_2002"], known["opensearch_dcg"]
    rankings: dict[str, list[float | None]] = {
        "paper": paper["G"],
        "all": search["ranked_rels"],
        "missing": search["missing"]["ranked_rels"],
        "at4": search["at4"]["ranked_rels"],
        **{
            text: [float(g) for g in text.split(",")] for text in known["pyltr"]["ndcg"]
        },
    }
    others = {"paper": [1.0] * 3, "at4": search["at4"]["also_judged"]}
    cutoffs = range(1, len(paper["G"]) + 1)
    jk = [f"{f}(dcg='jk')@{k}" for f in ("DCG", "nDCG") for k in cutoffs]
    dcg, best = "DCG(dcg='exp-log2')", "IDCG(dcg='exp-log2',ideal='returned')"
    of_three = "nDCG(dcg='exp-log2')@3"
    found = evaluate(*together(rankings, others), [*jk, dcg, best, of_three])

    on_paper = [*paper["DCG"], *paper["nDCG"]]
    # The paper cuts decimals off where it does not round.
    assert [found.query(name, "paper") for name in jk] == pytest.approx(
        on_paper, abs=0.01
    )
    for query in ("all", "missing", "at4"):
        vector = search if query == "all" else search[query]
        assert found.query(dcg, query) == digits(vector["dcg"])
        assert found.query(best, query) == digits(vector["idcg"])
    for text, value in known["pyltr"]["ndcg"].items():
        assert found.query(of_three, text) == digits(value)


def test_published_values_of_machine_learning_libraries_are_met(
    shared: Path, evaluate: Make
) -> None:
    known = vectors(shared, "worked_examples")
    learn, boost = known["sklearn"], known["xgboost"]
    first, second, tied = learn["cases"]
    plain = boost["plain"]

    def by_score(labels: list[float], scores: list[float]) -> list[float | None]:
        # Sorting is stable: equal predictions keep the order of the rows.
        order = sorted(range(len(labels)), key=lambda row: -scores[row])
        return [labels[row] for row in order]

    # Of equal scores, ignore_ties=True takes the last row first.
    reverse = by_score(learn["true"][::-1], tied["scores"][::-1])
    rankings = {
        "first": by_score(learn["true"], first["scores"]),
        "second": by_score(learn["true"], second["scores"]),
        "tied": reverse,
        "boost": by_score(boost["labels"], boost["preds"]),
        "plain": by_score(plain["labels"], plain["preds"]),
    }
    retrieved, exp = "nDCG(ideal='retrieved')", "nDCG(dcg='exp-log2')"
    cases = [
        ("first", retrieved, first["ndcg"]),
        ("second", retrieved, second["ndcg"]),
        ("second", f"{retrieved}@4", second["ndcg_k4"]),
        ("tied", f"{retrieved}@1", tied["ndcg_ignore_ties"]),
        ("boost", exp, boost["ndcg_exp_gain"]),
        ("boost", "nDCG", boost["ndcg_linear"]),
        ("plain", "nDCG", plain["ndcg"]),
        ("plain", "nDCG@2", plain["ndcg_at2"]),
        ("plain", "AP", plain["map"]),
        ("plain", "AP@2", plain["map_at2"]),
    ]
    measures = [measure for _, measure, _ in cases]
    found = evaluate(*together(rankings, {}), measures)
    for query, measure, value in cases:
        assert found.query(measure, query) == digits(value), (query, measure)
