"""Pools: what runs show goes out to be judged, and comes back as judgments."""

import csv
import io
import json
import warnings
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once
from support.files import shown, stored, write_judgments, write_run

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
def runs(ndcg: Command, once: Once) -> None:
    """Load three runs, and judgments of some of what they show."""

    def fill() -> None:
        write_judgments(Path("qrels"), JUDGED)
        for name, ranked in RANKED.items():
            write_run(Path(name), ranked)
        texts = "query_id,text\n" + "".join(f'q{i},"the, {i}th"\n' for i in range(6))
        Path("texts.csv").write_text(texts)
        assert ndcg("load", "judgments", "qrels").code == 0
        assert ndcg("load", "queries", "texts.csv").code == 0
        assert ndcg("load", "run", *RANKED).code == 0

    once(fill)


def pooled(depth: int) -> set[tuple[str, str]]:
    """Return what a pool to a depth has by definition."""
    return {
        (query, document)
        for ranked in RANKED.values()
        for query, documents in ranked.items()
        for document in list(documents)[:depth]
        if document not in JUDGED[query]
    }


def read(text: str) -> list[dict[str, Any]]:
    """Return the rows of CSV, or of JSON in lines."""
    if text.startswith("{"):
        return [json.loads(line) for line in text.splitlines()]
    return list(csv.DictReader(io.StringIO(text)))


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_pool_goes_out_and_comes_back(ndcg: Command, form: str) -> None:
    path = Path(f"pool.{form}")
    assert ndcg("pool", "-o", path).code == 0
    blank, filled = (",\n", ",2\n") if form == "csv" else ("null}", "2}")
    path.write_text(path.read_text().replace("\r\n", "\n").replace(blank, filled))
    result = ndcg("load", "judgments", path, "--base", "qrels")
    assert '"pool", 100 more than "qrels": 6 queries, 130 judg' in result.err
    [(policy,)] = stored("select policy from judgment_sets where name = 'pool'")
    assert policy == "extended"
    graded = shown(
        "select query_id, doc_id, grade from judgments where judgment_set = 'pool'"
    )
    old = {(q, d, grade) for q, grades in JUDGED.items() for d, grade in grades.items()}
    assert {*graded} == old | {(*pair, 2) for pair in pooled(10)}
    rows = json.loads(ndcg("report", "-m", "Judged@10", "--format", "json").out)
    assert [row["value"] for row in rows] == [1, 1, 1]
    # What may hold grades is not written over.
    told = ndcg("pool", "-o", path).refusal
    assert f"-o {path}: exists, and may hold grades; name another" in told
    assert ndcg("pool", "-o", path, "--force").code == 0


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    "options", [("--depth", "3"), ("--run", "one", "--run", "two", "--budget", "7")]
)
def test_a_pool_tells_assessors_nothing(ndcg: Command, options: tuple[str]) -> None:
    text = ndcg("pool", *options).out
    rows = read(text)
    assert list(rows[0]) == ["query_id", "query_text", "doc_id", "grade"]
    assert rows[0]["query_text"] == f"the, {rows[0]['query_id'][1:]}th"
    pairs = [(row["query_id"], row["doc_id"]) for row in rows]
    holes = json.loads(ndcg("holes", *options[:-2], "--format", "json").out)
    first = {(row["query_id"], row["doc_id"]) for row in holes[:7]}
    assert {*pairs} == (pooled(3) if options[0] == "--depth" else first)
    # A query's documents stand together, in an order that only the seed tells.
    queries = [query for query, _ in groupby(pairs, lambda pair: pair[0])]
    assert len(queries) == len({*queries})
    assert pairs != sorted(pairs)
    other = ndcg("pool", *options, "--seed", "1").out
    assert text == ndcg("pool", *options, "--seed", "0").out != other
    assert sorted(other.splitlines()) == sorted(text.splitlines())


@pytest.mark.usefixtures("runs")
def test_a_budget_is_told_and_is_the_same_in_python(ndcg: Command) -> None:
    asked = ("--run", "one", "--run", "two", "-m", "nDCG@5", "--budget", "7")
    result = ndcg("pool", *asked, "--format", "json")
    rows = json.loads(result.out)
    assert result.err.splitlines()[0] == (
        f"pooled 7 documents for {len({row['query_id'] for row in rows})} queries:"
        " those that could change nDCG@5 of 2 runs most, without those that"
        ' "qrels" judges'
    )
    with Warehouse("ndcg.duckdb") as warehouse, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same = warehouse.pool(["one", "two"], measures="nDCG@5", budget=7)
    assert same.to_dicts() == rows


def test_a_pool_needs_no_judgments(ndcg: Command) -> None:
    write_run(Path("one"), {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}})
    assert ndcg("load", "run", "one", "--dataset", "d").code == 0
    result = ndcg("pool")
    assert sorted(result.out.splitlines()[1:]) == ["q1,,a,", "q1,,b,", "q2,,a,"]
    assert result.err == "pooled 3 documents for 2 queries: the first 10 of 1 run\n"
    write_judgments(Path("old set"), {"q1": {"a": 1, "b": -1}})
    assert ndcg("load", "judgments", "old set", "--dataset", "d").code == 0
    assert len(ndcg("pool", "--all-queries").out.splitlines()) == 3
    result = ndcg("pool", "-o", "pool.csv")
    assert Path("pool.csv").read_text().splitlines()[1:] == ["q1,,b,"]
    told = "1 query without any judgment: left out; include with --all-queries"
    assert told in result.err
    loading = "load judgments pool.csv --base 'old set' --dataset d"
    told = f"after filling in every grade: ndcg-sql {loading}"
    assert result.err.splitlines()[-1] == told
    # Who leaves a grade empty may say that it stays so.
    options = ("--base", "old set", "--dataset", "d", "--label", "=-1")
    assert ndcg("load", "judgments", "pool.csv", *options).code == 0
    assert ndcg("pool").out.splitlines()[1:] == ["q1,,b,"]


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_pooled_is_refused(ndcg: Command) -> None:
    write_run(Path("elsewhere"), {"q": {"a": 1}})
    assert ndcg("load", "run", "elsewhere", "--dataset", "other").code == 0
    for options, message in {
        "": "the runs belong to several datasets; say which: --dataset, one of"
        ' "default", "other"',
        "--depth 0": "--depth 0: must be 1 or more",
        "--budget 0": "--budget 0: must be 1 or more",
        "--budget 2 --dataset other": "--budget 2: without judgments, nothing says"
        " which documents matter; pool the first of each run: omit --budget",
        "--budget 2 --all-queries": "--budget: cannot be combined with --all-queries;"
        " omit one",
        "-m RR": "-m: needs --budget",
        "--format table": "--format table: not one of csv, tsv, json, jsonl, parquet",
        "--dataset other --judgments x": 'no judgment set "x"; ndcg-sql list --dataset'
        " other shows all",
        "--dataset default -o no/pool.csv": "-o no/pool.csv: the directory does not"
        " exist",
    }.items():
        assert ndcg("pool", *options.split()).refusal == message + "\n"
