"""Published values: what trec_eval, TREC tracks and libraries print for their data."""

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.measures.names import parse
from support.commands import Command
from support.conventions import covers
from support.evaluations import Evaluation
from support.files import Judged, Ranked, shown
from support.libraries import library

# The data do not come with the project; what they hold is tried by other tests too.
pytestmark = pytest.mark.slow

Make = Callable[..., Evaluation]

# As trec_eval prints the measures; ndcg_sql reads these names.
TREC_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_NAMES = [
    *("map", "recip_rank", "ndcg", "success_1", "success_5", "success_10"),
    *(f"{m}_{k}" for m in ("P", "recall", "map_cut", "ndcg_cut") for k in TREC_CUTOFFS),
]


def fields(file: Path) -> list[list[str]]:
    """Return the fields of each line of a file."""
    return [line.split() for line in file.read_text(encoding="utf-8").splitlines()]


def printed(file: Path) -> dict[tuple[str, str], str]:
    """Return what trec_eval printed, by measure and query ("all" for the mean)."""
    return {(measure, query): value for measure, query, value in fields(file)}


def values_of(ndcg: Command, *arguments: str | Path) -> list[dict[str, Any]]:
    """Return the rows that a command prints as JSON."""
    result = ndcg(*arguments, "--format", "json")
    assert result.code == 0, result.err
    return json.loads(result.out)


def six_fields(source: Path, copy: Path) -> Path:
    """Copy a run without what stands behind the sixth field of a line."""
    lines = source.read_text(encoding="utf-8").splitlines()
    copy.write_text("".join("\t".join(line.split()[:6]) + "\n" for line in lines))
    return copy


@pytest.mark.parametrize(
    ("expected", "qrels", "run", "queries"),
    [
        ("out.test.aq", "qrels.test", "results.test", 3),
        ("out.test.aq", "qrels.test.with-comments", "results.test", 3),
        ("out.test.aqc", "qrels.test", "results.trunc", 3),
        ("out.test.a", "qrels.test", "results.test", 0),
    ],
)
def test_trec_eval_prints_the_same(
    ndcg: Command, shared: Path, expected: str, qrels: str, run: str, queries: int
) -> None:
    folder = shared / "trec_eval"
    copy = six_fields(folder / run, Path("run"))
    wanted = printed(folder / expected)
    # In this order, the names that come back are those that were asked for.
    asked = tuple(part for name in TREC_NAMES for part in ("-m", name))
    means = values_of(ndcg, "eval", folder / qrels, copy, *asked)
    assert len(means) == len(TREC_NAMES)
    for name, row in zip(TREC_NAMES, means, strict=True):
        assert f"{row['value']:.4f}" == wanted[name, "all"], name
    if queries:
        rows = values_of(ndcg, "eval", folder / qrels, copy, *asked, "--per-query")
        assert len(rows) == queries * len(TREC_NAMES)
        for name, row in zip(TREC_NAMES * queries, rows, strict=True):
            assert f"{row['value']:.4f}" == wanted[name, row["query_id"]], (name, row)


def test_the_relevance_level_moves_no_gain(ndcg: Command, shared: Path) -> None:
    pytrec_eval = library("pytrec_eval")
    folder = shared / "trec_eval"
    qrels, run = folder / "qrels.rel_level", folder / "results.test"
    names = {
        "nDCG": "ndcg",
        "nDCG@20": "ndcg_cut_20",
        "AP(rel=2)": "map",
        "P(rel=2)@10": "P_10",
        "R(rel=2)@100": "recall_100",
        "RR(rel=2)": "recip_rank",
        "Success(rel=2)@5": "success_5",
    }
    judged: dict[str, dict[str, int]] = {}
    for query, _, document, grade in fields(qrels):
        judged.setdefault(query, {})[document] = int(grade)
    ranked: dict[str, dict[str, float]] = {}
    for query, _, document, _, score, _ in fields(run):
        ranked.setdefault(query, {})[document] = float(score)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {*names.values()}, 2)
    expected = evaluator.evaluate(ranked)
    asked = [part for name in names for part in ("-m", name)]
    rows = values_of(ndcg, "eval", qrels, run, "--per-query", *asked)
    assert len(rows) == len(judged) * len(names)
    for row in rows:
        known = expected[row["query_id"]][names[row["measure"]]]
        assert row["value"] == pytest.approx(known, abs=1e-9), row


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


@pytest.mark.parametrize("kind", ["cwl", "compat"])
def test_ir_measures_expects_the_same(ndcg: Command, shared: Path, kind: str) -> None:
    known = json.loads((shared / "examples/irm_expected.json").read_text("utf-8"))[kind]
    files = [shared / "examples" / name for name in known["files"]]
    asked = [part for measure in known["measures"] for part in ("-m", measure)]
    found: dict[str, dict[str, float]] = {}
    for row in values_of(ndcg, "eval", *files, *asked, "--per-query"):
        found.setdefault(row["measure"], {})[row["query_id"]] = row["value"]
    for measure, expected in known["measures"].items():
        expected.pop("all", None)
        (parsed,) = parse(measure)
        assert found[parsed.name] == pytest.approx(expected, abs=known["tolerance"])


def by_user(rows: list[Any]) -> dict[str, dict[str, float]]:
    """Return rows of user, item and number as a number by item by user."""
    found: dict[str, dict[str, float]] = {}
    for user, item, number in rows:
        found.setdefault(str(user), {})[str(item)] = number
    return found


def test_published_values_of_a_recommender_library_are_met(
    shared: Path, evaluate: Make
) -> None:
    text = (shared / "examples/recsys_vectors.json").read_text("utf-8")
    known = json.loads(text)["replay"]
    families = {"P": "Precision", "Success": "HitRate", "RR": "MRR", "nDCG": "NDCG"}
    # Its MAP@3 and MAP@5 are divided by min(k, R); at 10 the two are one.
    values = {"AP@10": known["MAP"][2]} | {
        f"{family}@{k}": value
        for family, key in families.items()
        for k, value in zip(known["k"], known[key], strict=True)
    }
    judged = by_user([(user, item, 1) for user, item in known["ground_truth"]])
    found = evaluate(judged, by_user(known["recs"]), list(values))
    for measure, value in values.items():
        assert found.mean(measure) == pytest.approx(value, rel=0, abs=1e-5), measure
