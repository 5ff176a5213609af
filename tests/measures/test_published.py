"""Published values: what trec_eval, TREC tracks and libraries print for their data."""

import csv
import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.measures.names import parse
from support.commands import Command
from support.evaluations import Evaluation, graded
from support.files import Judged, Ranked
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


def printed(file: Path) -> dict[tuple[str, str], str]:
    """Return what trec_eval printed, by measure and query ("all" for the mean)."""
    rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {(measure, query): value for measure, query, value in rows}


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


def test_trec_eval_prints_the_same(ndcg: Command, shared: Path, tmp_path: Path) -> None:
    folder = shared / "trec_eval"
    trunc = six_fields(folder / "results.trunc", tmp_path / "trunc")
    for expected, run, queries in (
        ("out.test.aq", folder / "results.test", 3),
        ("out.test.aqc", trunc, 3),
        ("out.test.a", folder / "results.test", 0),
    ):
        wanted = printed(folder / expected)
        # In this order, the names that come back are those that were asked for.
        common = ("eval", folder / "qrels.test", run)
        common += tuple(part for name in TREC_NAMES for part in ("-m", name))
        means = values_of(ndcg, *common)
        assert len(means) == len(TREC_NAMES)
        for name, row in zip(TREC_NAMES, means, strict=True):
            assert f"{row['value']:.4f}" == wanted[name, "all"], (expected, name)
        if not queries:
            continue
        rows = values_of(ndcg, *common, "--per-query")
        assert len(rows) == queries * len(TREC_NAMES)
        for name, row in zip(TREC_NAMES * queries, rows, strict=True):
            value = wanted[name, row["query_id"]]
            assert f"{row['value']:.4f}" == value, (expected, name, row)


def test_comments_in_judgments_change_nothing(ndcg: Command, shared: Path) -> None:
    folder = shared / "trec_eval"
    plain, commented = (
        values_of(ndcg, "eval", folder / qrels, folder / "results.test", "--per-query")
        for qrels in ("qrels.test", "qrels.test.with-comments")
    )
    assert [row | {"judgment_set": ""} for row in plain] == [
        row | {"judgment_set": ""} for row in commented
    ]


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
    for line in qrels.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        judged.setdefault(query, {})[document] = int(grade)
    ranked: dict[str, dict[str, float]] = {}
    for line in run.read_text(encoding="utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
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
    ndcg: Command, shared: Path, tmp_path: Path
) -> None:
    folder = shared / "dl19"
    published = {"nDCG@10": 0.5058, "AP(rel=2)": 0.3013, "R(rel=2)@1000": 0.7501}
    qrels = folder / "qrels.dl19-passage.txt.gz"
    run = folder / "run.dl19-passage.bm25-default.top1000.txt.gz"
    assert ndcg("measures", "add", *published).code == 0
    assert ndcg("load", "judgments", qrels, "--dataset", "dl19").code == 0
    loaded = ndcg("load", "run", run, "--dataset", "dl19", "--name", "bm25")
    assert loaded.code == 0, loaded.err
    for row in values_of(ndcg, "report"):
        expected = published.pop(row["measure"], None)
        if expected is not None:
            assert round(row["value"], 4) == expected
        assert (row["n"], row["answered"], row["unanswered"]) == (43, 43, 0)
    assert published == {}
    with duckdb.connect(str(tmp_path / "ndcg.duckdb"), read_only=True) as connection:
        rows = connection.execute(
            "select measure, round(value, 4) from run_values"
            " where run = 'bm25' and dataset = 'dl19'"
        ).fetchall()
    assert {
        ("nDCG@10", 0.5058),
        ("AP(rel=2)", 0.3013),
        ("R(rel=2)@1000", 0.7501),
    } <= set(rows)


def test_the_web_track_of_2013_has_its_published_gains(
    ndcg: Command, shared: Path
) -> None:
    folder = shared / "web13"
    expected_file = folder / "expected.cwindri.ndcg_err.csv"
    with expected_file.open(encoding="utf-8", newline="") as lines:
        printed = {row.pop("topic"): row for row in csv.DictReader(lines)}
    means = printed.pop("amean")
    files = (folder / "qrels.web.201-250.txt.gz", folder / "run.cwindri.gz")
    for column, answered, every, mean in (
        (
            "ndcg@20",
            "nDCG(dcg='exp-log2',missing='omit')@20",
            "nDCG(dcg='exp-log2')@20",
            "0.18020",
        ),
        ("err@20", "ERR(missing='omit')@20", "ERR@20", "0.09977"),
    ):
        asked = ("eval", *files, "-m", answered, "-m", every)
        of_answered, of_all = values_of(ndcg, *asked)
        assert f"{of_answered['value']:.5f}" == means[column]
        assert f"{of_all['value']:.5f}" == mean
        assert (of_answered["n"], of_all["n"]) == (48, 50)
        assert (of_all["answered"], of_all["unanswered"]) == (48, 2)
        values = {
            (row["query_id"], row["measure"]): row["value"]
            for row in values_of(ndcg, *asked, "--per-query")
        }
        assert len(values) == 100
        for query, measure in values:
            value = values[query, measure]
            if query in printed:
                assert f"{value:.5f}" == printed[query][column], query
            else:
                assert value == (None if measure == answered else 0)


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


def by_user(rows: list[Any]) -> dict[str, dict[str, float]]:
    """Return rows of user, item and number as a number by item by user."""
    found: dict[str, dict[str, float]] = {}
    for user, item, number in rows:
        found.setdefault(str(user), {})[str(item)] = number
    return found


def test_published_values_of_recommender_libraries_are_met(
    shared: Path, evaluate: Make
) -> None:
    known = vectors(shared, "recsys_vectors")
    replay, other = known["replay"], known["msrec"]
    families = {"P": "Precision", "Success": "HitRate", "RR": "MRR", "nDCG": "NDCG"}
    names = [f"{f}@{k}" for f in families for k in replay["k"]] + ["AP@10"]
    judged = by_user([(user, item, 1) for user, item in replay["ground_truth"]])
    found = evaluate(judged, by_user(replay["recs"]), names)
    for family, key in families.items():
        for k, value in zip(replay["k"], replay[key], strict=True):
            assert found.mean(f"{family}@{k}") == digits(value), (family, k)
    # Its MAP@3 and MAP@5 are divided by min(k, R); at 10 the two are one.
    assert found.mean("AP@10") == digits(replay["MAP"][2])

    measures = {
        "nDCG(gains='binary')@10": "ndcg_at_k",
        "AP@10": "map",
        "P@10": "precision_at_k",
        "R@10": "recall_at_k",
    }
    judged, ranked = by_user(other["rating_true"]), by_user(other["rating_pred"])
    found = evaluate(judged, ranked, list(measures))
    for measure, key in measures.items():
        assert found.mean(measure) == digits(other[key]), measure
