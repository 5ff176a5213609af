"""Published values: what trec_eval, TREC tracks and libraries print for their data."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command
from support.conventions import covers
from support.evaluations import Evaluation
from support.files import Judged, Ranked, shown

# The data do not come with the project; what they hold is tried by other tests too.
pytestmark = pytest.mark.slow

Make = Callable[..., Evaluation]


def values_of(ndcg: Command, *arguments: str | Path) -> list[dict[str, Any]]:
    """Return the rows that a command prints as JSON."""
    result = ndcg(*arguments, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def test_passages_of_2019_have_their_published_means(
    ndcg: Command, shared: Path
) -> None:
    published = {"nDCG@10": 0.5058, "AP(rel=2)": 0.3013, "R(rel=2)@1000": 0.7501}
    qrels = shared / "dl19/qrels.dl19-passage.txt.gz"
    run = shared / "dl19/run.dl19-passage.bm25-default.top1000.txt.gz"
    assert ndcg("measures", "add", *published).code == 0
    assert ndcg("load", "judgments", qrels, "--dataset", "dl19").code == 0
    assert ndcg("load", "run", run, "--dataset", "dl19", "--name", "bm25").code == 0
    rows = values_of(ndcg, "report")
    assert {(r["n"], r["answered"], r["unanswered"]) for r in rows} == {(43, 43, 0)}
    found = {row["measure"]: round(row["value"], 4) for row in rows}
    assert {measure: found[measure] for measure in published} == published
    sql = "select measure, round(value, 4) from run_values where run = 'bm25'"
    assert {*published.items()} <= {*shown(sql)}


@covers("gdeval *", "gdeval ERR")
@pytest.mark.parametrize(
    ("column", "name", "followed", "mean"),
    [
        ("ndcg@20", "nDCG@20", "nDCG(dcg='exp-log2',missing='omit')@20", "0.18020"),
        ("err@20", "ERR@20", "ERR(missing='omit')@20", "0.09977"),
    ],
)
def test_the_web_track_of_2013_has_its_published_gains(
    ndcg: Command, shared: Path, column: str, name: str, followed: str, mean: str
) -> None:
    folder = shared / "web13"
    expected_file = folder / "expected.cwindri.ndcg_err.csv"
    with expected_file.open(encoding="utf-8", newline="") as lines:
        wanted = {row["topic"]: row[column] for row in csv.DictReader(lines)}
    files = (folder / "qrels.web.201-250.txt.gz", folder / "run.cwindri.gz")
    asked = ("eval", *files, "--like", "gdeval", "-m", name)
    (of_answered,) = values_of(ndcg, *asked)
    every = followed.replace(",missing='omit'", "").replace("(missing='omit')", "")
    (of_all,) = values_of(ndcg, "eval", *files, "-m", every)
    assert of_answered["measure"] == followed
    assert f"{of_answered['value']:.5f}" == wanted.pop("amean")
    assert f"{of_all['value']:.5f}" == mean
    assert (of_answered["n"], of_all["n"], of_all["unanswered"]) == (48, 50, 2)
    rows = values_of(ndcg, *asked, "--per-query")
    values = {row["query_id"]: row["value"] for row in rows}
    assert len(values) == 50
    for query, value in values.items():
        assert (value is None) == (query not in wanted)
        assert value is None or f"{value:.5f}" == wanted[query], query


def letor(folder: Path) -> tuple[Judged, Ranked]:
    """Return LightGBM's example, ranked by its scores; equal ones stay in order."""
    with gzip.open(folder / "lightgbm-rank.test.gz", "rt", encoding="utf-8") as lines:
        labels = [float(line.split()[0]) for line in lines]
    scores_text = (folder / "lightgbm-rank.test.scores.txt").read_text(encoding="utf-8")
    scores = [float(score) for score in scores_text.split()]
    sizes = (folder / "lightgbm-rank.test.query").read_text(encoding="utf-8").split()
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    start = 0
    for query, size in enumerate(map(int, sizes), start=1):
        rows = range(start, start + size)
        start += size
        order = sorted(rows, key=lambda row: -scores[row])
        judged[f"{query}"] = {f"row{row}": labels[row] for row in rows}
        ranked[f"{query}"] = {f"row{row}": float(-i) for i, row in enumerate(order)}
    return judged, ranked


def test_learning_to_rank_tools_report_the_same(shared: Path, evaluate: Make) -> None:
    folder = shared / "letor"
    judged, ranked = letor(folder)
    tens = range(1, 11)
    measures = [
        *(f"nDCG(dcg='exp-log2',no_rel=1)@{k}" for k in (1, 3, 5, 10)),
        *(f"{name}@{k}" for name in ("nDCG(dcg='exp-jk')", "P(rel=2)") for k in tens),
        "AP(rel=2)",
    ]
    found = evaluate(judged, ranked, measures)
    reported = json.loads((folder / "lightgbm-expected.json").read_text("utf-8"))
    for k in (1, 3, 5, 10):
        value = found.mean(f"nDCG(dcg='exp-log2',no_rel=1)@{k}")
        assert value == pytest.approx(reported["reported_by_lightgbm"][f"ndcg@{k}"])
    script = folder / "lightgbm-rank.test.Eval-Score-MSLR.out.txt"
    names: list[str] = []
    compared = 0
    for line in script.read_text("utf-8").splitlines():
        query, *numbers = line.split()[:11] if line else [""]
        if query == "qid":
            family = "P(rel=2)" if numbers[0] == "P@1" else "nDCG(dcg='exp-jk')"
            names = [f"{family}@{k}" for k in tens]
        if query not in judged:
            continue
        for k, name, number in zip(tens, names, numbers, strict=True):
            # The script prints a gain of 0 beyond the end of a list.
            if k <= len(judged[query]):
                assert found.query(name, query) == pytest.approx(
                    float(number), abs=5.1e-5
                ), (query, name)
                compared += 1
    assert compared > 900
