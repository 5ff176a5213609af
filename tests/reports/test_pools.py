"""Pools: what runs show goes out to be judged, and comes back as judgments."""

import csv
import io
import itertools
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once
from support.files import shown, stored, write_judgments, write_run
from support.libraries import library

pytestmark = pytest.mark.slow

JUDGED = {f"q{i}": {f"d{n}": (n + i) % 3 for n in range(0, 30, 7)} for i in range(6)}
RANKED = {
    name: {
        f"q{i}": {f"d{(n * step + i) % 30}": float(-n) for n in range(15)}
        for i in range(6)
    }
    for name, step in (("one", 1), ("two", 7), ("three", 11))
}


@pytest.fixture
def runs(ndcg: Command, tmp_path: Path, once: Once) -> None:
    """Load three runs, and judgments of some of what they show."""

    def fill() -> None:
        write_judgments(tmp_path / "qrels", JUDGED)
        for name, ranked in RANKED.items():
            write_run(tmp_path / name, ranked)
        texts = "query_id,text\n" + "".join(f'q{i},"the, {i}th"\n' for i in range(6))
        (tmp_path / "texts.csv").write_text(texts)
        assert ndcg("load", "judgments", "qrels").code == 0
        assert ndcg("load", "queries", "texts.csv").code == 0
        assert ndcg("load", "run", *RANKED).code == 0

    once(fill)


def grade(query: str, document: str) -> int:
    """Return what the assessor thinks of a document."""
    return (int(query[1:]) + int(document[1:]) * 5) % 4


def filled_csv(text: str) -> str:
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    for row in rows:
        row["grade"] = str(grade(row["query_id"], row["doc_id"]))
        writer.writerow(row)
    return out.getvalue()


def filled_jsonl(text: str) -> str:
    rows = [json.loads(line) for line in text.splitlines()]
    for row in rows:
        row["grade"] = grade(row["query_id"], row["doc_id"])
    return "".join(json.dumps(row) + "\n" for row in rows)


FILLED: dict[str, Callable[[str], str]] = {"csv": filled_csv, "jsonl": filled_jsonl}


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("form", FILLED)
def test_a_pool_goes_out_and_comes_back(ndcg: Command, form: str) -> None:
    result = ndcg("pool", "-o", f"pool.{form}")
    assert result.code == 0
    pool = Path(f"pool.{form}").read_text()
    Path(f"pool.{form}").write_text(FILLED[form](pool))
    result = ndcg("load", "judgments", f"pool.{form}", "--base", "qrels")
    assert result.code == 0, result.err
    assert '"pool", 100 more than "qrels": 6 queries, 130 judg' in result.err
    asked = ("report", "-m", "Judged@10 nDCG@10 AP@10", "-q", "--format", "json")
    rows = json.loads(ndcg(*asked).out)
    judged = {q: dict(grades) for q, grades in JUDGED.items()}
    for ranked in RANKED.values():
        for query, documents in ranked.items():
            for document in list(documents)[:10]:
                judged[query].setdefault(document, grade(query, document))
    pytrec_eval: Any = library("pytrec_eval")
    oracle = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "map_cut.10"})
    names = {"nDCG@10": "ndcg_cut_10", "AP@10": "map_cut_10"}
    for name, ranked in RANKED.items():
        theirs = oracle.evaluate(ranked)
        own = [row for row in rows if row["run"] == name]
        assert len(own) == 18
        for row in own:
            measure, query = row["measure"], row["query_id"]
            value = 1 if measure == "Judged@10" else theirs[query][names[measure]]
            assert row["value"] == pytest.approx(value, abs=1e-9)
    sql = "select name, policy, judgment_count from judgment_sets"
    count = sum(map(len, judged.values()))
    assert stored(sql)[1] == ("pool", "extended", count)


@pytest.mark.usefixtures("runs")
def test_a_pool_tells_assessors_nothing(ndcg: Command) -> None:
    rows = list(csv.DictReader(io.StringIO(ndcg("pool", "--depth", "3").out)))
    assert list(rows[0]) == ["query_id", "query_text", "doc_id", "grade"]
    assert rows[0]["query_text"] == f"the, {rows[0]['query_id'][1:]}th"
    pairs = [(row["query_id"], row["doc_id"]) for row in rows]
    expected = {
        (query, document)
        for ranked in RANKED.values()
        for query, documents in ranked.items()
        for document in list(documents)[:3]
        if document not in JUDGED[query]
    }
    assert set(pairs) == expected
    assert len(pairs) == len(expected)
    queries = [query for query, _ in pairs]
    # A query's documents stand together, in an order that only the seed tells.
    assert len(dict.fromkeys(queries)) == 1 + sum(
        a != b for a, b in itertools.pairwise(queries)
    )
    assert pairs != sorted(pairs)
    again = ndcg("pool", "--depth", "3", "--seed", "0").out
    other = ndcg("pool", "--depth", "3", "--seed", "1").out
    assert again == ndcg("pool", "--depth", "3").out != other
    assert sorted(other.splitlines()) == sorted(again.splitlines())


def test_a_pool_needs_no_judgments(ndcg: Command) -> None:
    write_run(Path("one"), {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}})
    assert ndcg("load", "run", "one").code == 0
    result = ndcg("pool")
    assert sorted(result.out.splitlines()[1:]) == ["q1,,a,", "q1,,b,", "q2,,a,"]
    assert result.err == "pooled 3 documents for 2 queries: the first 10 of 1 run\n"
    write_judgments(Path("qrels"), {"q1": {"a": 1, "b": -1}})
    assert ndcg("load", "judgments", "qrels").code == 0
    result = ndcg("pool")
    assert result.out.splitlines()[1:] == ["q1,,b,"]
    assert (
        "1 query without any judgment: left out; include with --all-queries"
        in result.err
    )
    assert len(ndcg("pool", "--all-queries").out.splitlines()) == 3


def test_a_pool_tells_how_it_comes_back(ndcg: Command) -> None:
    write_run(Path("one"), {"q1": {"a": 2, "b": 1, "c": 0}})
    write_judgments(Path("old set"), {"q1": {"a": 1}})
    for arguments in (("judgments", "old set"), ("run", "one")):
        assert ndcg("load", *arguments, "--dataset", "d").code == 0
    result = ndcg("pool", "-o", "pool.csv")
    last = result.err.splitlines()[-1]
    assert last == (
        "after filling in every grade: ndcg-sql load judgments pool.csv --base"
        " 'old set' --dataset d"
    )
    # Who leaves a grade empty may say that it stays so.
    options = ("--base", "old set", "--dataset", "d", "--label", "=-1")
    assert ndcg("load", "judgments", "pool.csv", *options).code == 0
    assert sorted(ndcg("pool").out.splitlines()[1:]) == ["q1,,b,", "q1,,c,"]


@pytest.mark.usefixtures("runs")
def test_what_is_built_on_other_judgments(ndcg: Command) -> None:
    new = Path("new")
    new.write_text("q0 0 d1 1\nq0 0 d7 0\nq9 0 x 1\n")
    before = stored("from judgment_sets")
    result = ndcg("load", "judgments", "new", "--base", "qrels")
    assert result.refusal.startswith(
        'new:2: query "q0", document "d7": grade "0", but 1.0 in the base judgment'
        " set\n1 bad line of 3; nothing was loaded."
    )
    # What is told makes a set in which the new grade holds.
    Path("third").write_text("q0 0 d1 3\nq0 0 d7 2\nq8 0 y 2\n")
    for options in (("new",), ("third", "--name", "again")):
        asked = ("load", "judgments", *options, "--base", "qrels")
        told = [line for line in ndcg(*asked).err.splitlines() if "  ndcg-sql" in line]
        made = [ndcg(*line.split()[1:]).err for line in told]
        # The names of the assessments are free the second time, too.
        words = ["exported", "loaded", "loaded", "made"]
        assert [one.split()[0] for one in made] == words
    regraded = "select doc_id, grade from judgments where judgment_set = '{}'"
    assert {("d1", 1), ("d7", 0), ("x", 1)} <= {*shown(regraded.format("new"))}
    # The second time, what the first one said has no say.
    again = shown(regraded.format("again"))
    assert {("d1", 3), ("y", 2)} <= {*again}
    assert "x" not in dict(again)
    for name in ("new", "again"):
        assert ndcg("remove", "judgments", name).code == 0
    assert stored("from judgment_sets") == before
    new.write_text("q0 0 d1 1\nq0 0 d7 1\nq9 0 x 1\n")
    result = ndcg("load", "judgments", "new", "--base", "qrels")
    assert '"new", 2 more than "qrels": 7 queries, 32 judgments;' in result.err
    again = ndcg("load", "judgments", "new", "--base", "qrels")
    assert "already exists with this content" in again.err
    for base, message in {
        "qrel": 'no judgment set "qrel"; did you mean "qrels"?',
        "new": "--base new: a judgment set cannot be its own base; choose another"
        " name: --name NAME",
    }.items():
        result = ndcg("load", "judgments", "new", "--base", base)
        assert result.refusal == message + "\n"
    # What nobody judged yet is no judgment.
    Path("half").write_text("q0 0 d1 -1\nq9 0 x 1\n")
    result = ndcg("load", "judgments", "half", "--base", "qrels")
    assert '"half", 1 more than "qrels": ' in result.err
    Path("rest").write_text("q0 0 d1 1\n")
    result = ndcg("load", "judgments", "rest", "--base", "half")
    assert '"rest", 1 more than "half": ' in result.err


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_pooled_is_refused(ndcg: Command) -> None:
    write_run(Path("elsewhere"), {"q": {"a": 1}})
    assert ndcg("load", "run", "elsewhere", "--dataset", "other").code == 0
    for options, message in {
        (): "the runs belong to several datasets; say which: --dataset, one of"
        ' "default", "other"',
        ("--depth", "0"): "--depth 0: must be 1 or more",
        ("--format", "table"): "--format table: not one of csv, tsv, json, jsonl,"
        " parquet",
        ("--dataset", "other", "--judgments", "x"): 'no judgment set "x"; ndcg-sql'
        " list --dataset other shows all",
    }.items():
        assert ndcg("pool", *options).refusal == message + "\n"


@pytest.mark.usefixtures("runs")
def test_a_budget_takes_what_could_change_the_difference_most(ndcg: Command) -> None:
    two = ("--run", "one", "--run", "two", "-m", "nDCG@5")
    holes = json.loads(ndcg("holes", *two, "--format", "json").out)
    moves = [row["move_between"] for row in holes]
    assert moves == sorted(moves, reverse=True)
    assert moves[0] > moves[-1]
    result = ndcg("pool", *two, "--budget", "7", "--format", "json")
    rows = json.loads(result.out)
    assert list(rows[0]) == ["query_id", "query_text", "doc_id", "grade"]
    chosen = {(row["query_id"], row["doc_id"]) for row in rows}
    assert chosen == {(row["query_id"], row["doc_id"]) for row in holes[:7]}
    told = result.err.splitlines()[0]
    queries = len({query for query, _ in chosen})
    assert told == (
        f"pooled 7 documents for {queries} queries: those that could change nDCG@5 of 2"
        ' runs most, without those that "qrels" judges'
    )
    # Their order tells no more than that of any pool.
    other = ndcg("pool", *two, "--budget", "7", "--seed", "1", "--format", "json").out
    assert other != result.out
    assert sorted(map(str, json.loads(other))) == sorted(map(str, rows))
    with Warehouse("ndcg.duckdb") as warehouse, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same = warehouse.pool(["one", "two"], measures="nDCG@5", budget=7)
    assert same.to_dicts() == rows


def test_a_budget_needs_judgments(ndcg: Command) -> None:
    write_run(Path("one"), {"q1": {"a": 2, "b": 1}})
    assert ndcg("load", "run", "one").code == 0
    for options, message in {
        ("--budget", "2"): "--budget 2: without judgments, nothing says which documents"
        " matter; pool the first of each run: omit --budget",
        ("--budget", "2", "--all-queries"): "--budget: cannot be combined with"
        " --all-queries; omit one",
        ("-m", "RR"): "-m: needs --budget",
        ("--budget", "0"): "--budget 0: must be 1 or more",
    }.items():
        assert ndcg("pool", *options).refusal == message + "\n"


@pytest.mark.usefixtures("runs")
def test_grades_that_were_filled_in_are_kept(ndcg: Command) -> None:
    assert ndcg("pool", "-o", "pool.csv").code == 0
    graded = Path("pool.csv").read_text() + "\n"
    Path("pool.csv").write_text(graded)
    told = ndcg("pool", "-o", "pool.csv")
    assert "-o pool.csv: exists, and may hold grades; name another" in told.refusal
    assert Path("pool.csv").read_text() == graded
    assert ndcg("pool", "-o", "pool.csv", "--force").code == 0
    assert Path("pool.csv").read_text() != graded
    assert ndcg("pool", "-o", "no/pool.csv").err == (
        "-o no/pool.csv: the directory does not exist\n"
    )
