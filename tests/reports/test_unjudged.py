"""What nobody judged: holes, by what one more judgment could change, and pools."""

import csv
import io
import json
import warnings
from collections.abc import Callable
from itertools import groupby
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once, load_texts, records
from support.files import shown, stored
from support.worlds import World, world

pytestmark = pytest.mark.slow

WORLD = world(11, 48)
Gain = Callable[[float], float]
Discount = Callable[[int], float]
Run = dict[str, dict[str, float]]
Hole = tuple[str, str, int, int, float]
ALL = 1000


def _other_run(seed: int) -> Run:
    """Return some documents of the world's run in another order."""
    random = Random(seed)
    return {
        query: {d: random.random() for d in documents if random.random() < 0.8}
        for query, documents in WORLD.ranked.items()
    }


RUNS = {"one": WORLD.ranked, "two": _other_run(1), "three": _other_run(2)}


def holes(
    names: tuple[str, ...], gain: Gain, discount: Discount, cutoff: int, depth: int
) -> list[Hole]:
    """Return the holes of WORLD by definition, those first that could change most."""
    best = max(gain(max(g, 0)) for own in WORLD.judged.values() for g in own.values())
    changes: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for ranked in (RUNS[name] for name in names):
        for query, documents in World(WORLD.judged, ranked).rankings.items():
            for position, document in enumerate(documents[:depth], 1):
                if WORLD.judged[query].get(document, -1) < 0:
                    change = best / discount(position) if position <= cutoff else 0
                    own = changes.setdefault((query, document), [])
                    own.append((position, change))
    found: list[Hole] = []
    for (query, document), own in changes.items():
        change = sum(sorted(change for _, change in own))
        if len(names) == 2 == len(own):
            change = abs(own[0][1] - own[1][1])
        found.append((query, document, len(own), min(own)[0], change))
    return sorted(found, key=lambda h: (-h[4], h[3], -h[2], h[0].encode(), h[1]))


@pytest.fixture
def runs(here: Path, once: Once) -> None:  # noqa: ARG001
    """Load the world; the first of its runs is not evaluated."""

    def fill() -> None:
        with Warehouse.write("ndcg.duckdb") as own:
            own.load_run(RUNS["one"], "one")
            own.load_judgments(WORLD.judged, "qrels", evaluate=False)
            for name in ("two", "three"):
                own.load_run(RUNS[name], name)

    once(fill)


GAINS: dict[str, Gain] = {
    "linear": lambda grade: grade,
    "exp": lambda grade: 2**grade - 1,
    "nine": lambda grade: 9 if grade == 1 else grade,
    "from 3": lambda grade: grade if grade >= 3 else 0,
    "none": lambda grade: 0 * grade,
}
DISCOUNTS: dict[str, Discount] = {
    "log2": lambda position: log2(position + 1),
    "log3": lambda position: log2(position + 1) / log2(3),
    "jk2": lambda position: 1 if position < 2 else log2(position),
    "jk4": lambda position: 1 if position < 4 else log2(position) / 2,
}
# By measure: gain, discount, cutoff, and what it is ranked by if that is another one.
CASES: dict[str, tuple[str, str, int, str]] = {
    "nDCG@10": ("linear", "log2", 10, ""),
    "DCG(dcg='exp-log2')@5": ("exp", "log2", 5, ""),
    "nDCG(dcg='jk',base=4)@8": ("linear", "jk4", 8, ""),
    "nDCG(dcg='exp-jk')@8": ("exp", "jk2", 8, ""),
    "DCG(base=3)@4": ("linear", "log3", 4, ""),
    "nDCG(gains={1:9})": ("nine", "log2", ALL, ""),
    "nDCG(rel=3)@3": ("from 3", "log2", 3, ""),
    # No grade has a gain: nothing can change, and what stands highest is first.
    "nDCG(rel=9)@3": ("none", "log2", 3, ""),
    "nDCG(gains={1:-1,2:-2,3:-3})@3": ("none", "log2", 3, ""),
    # What has no gains and discounts is ranked as nDCG.
    "AP": ("linear", "log2", ALL, "nDCG"),
    "P(rel=2)@5": ("linear", "log2", 5, "nDCG@5"),
    "ERR@7": ("linear", "log2", 7, "nDCG@7"),
    "IPrec@0.5": ("linear", "log2", ALL, "nDCG"),
}
# Runs and depth, where one is given.
ASKED: list[tuple[int | None, tuple[str, ...]]] = [
    (None, ("one",)),
    (3, ("one", "two")),
    (None, ("one", "three")),
    (12, ("one", "two", "three")),
]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("measure", CASES)
def test_holes_are_ranked_by_their_definition(ndcg: Command, measure: str) -> None:
    gain, discount, cutoff, other = CASES[measure]
    compared = 0
    for depth, names in ASKED:
        asked = [
            "holes",
            "-m",
            measure,
            *(w for name in names for w in ("--run", name)),
        ]
        asked += ["--depth", str(depth)] if depth else []
        deep = depth or (cutoff if cutoff < ALL else 10)
        rows = records(ndcg, *asked)
        columns = ("query_id", "doc_id", "runs", "best_position", "largest_change")
        expected = holes(names, GAINS[gain], DISCOUNTS[discount], cutoff, deep)
        assert [tuple(row[c] for c in columns) for row in rows] == expected
        assert {row["measure"] for row in rows} == {other or measure}
        told = f"{len(rows)} unjudged documents among the first {deep} of"
        assert told in ndcg(*asked, "--limit", "1").err
        compared += len(rows)
    assert compared > 200


@pytest.mark.usefixtures("runs")
def test_a_limit_shows_the_first_and_tells_how_many_there_are(ndcg: Command) -> None:
    asked = ("holes", "-m", "nDCG@2", "--depth", "3", "--format", "json")
    everything = ndcg(*asked)
    found = json.loads(everything.out)
    result = ndcg(*asked, "--limit", "1")
    assert json.loads(result.out) == found[:1]
    assert result.err == f"{everything.err}1 of {len(found)} rows shown\n"
    assert ndcg(*asked, "--limit", str(len(found))) == everything
    assert list(found[0])[-2:] == ["judgment_set", "dataset"]
    # Unjudged queries are told, and left out.
    assert everything.err.startswith("omitted 4 queries without any judgment\n")


def test_gains_and_differences_are_those_of_each_dataset(ndcg: Command) -> None:
    texts: dict[str, str] = {}
    for dataset, grade in (("x", 1), ("y", 3)):
        texts[f"judgments qrels --dataset {dataset}"] = f"q 0 a {grade}\n"
        texts[f"run run --dataset {dataset}"] = "q Q0 b 0 1 t\n"
    texts["run other --dataset x"] = "q Q0 c 0 2 t\nq Q0 b 0 1 t\n"
    load_texts(ndcg, texts)
    # Without a registered measure that has discounts, it is nDCG@10.
    assert ndcg("measures", "remove", "nDCG@10").code == 0
    rows = records(ndcg, "holes")
    columns = ("dataset", "doc_id", "runs", "best_position", "largest_change")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("y", "b", 1, 1, 3),
        ("x", "c", 1, 1, 1),
        ("x", "b", 2, 1, 1 - 1 / log2(3)),
    ]
    assert {row["measure"] for row in rows} == {"nDCG@10"}


JUDGED = {f"q{i}": {f"d{n}": (n + i) % 3 for n in range(0, 30, 7)} for i in range(6)}
RANKED = {
    name: {
        f"q{i}": {f"d{(n * step + i) % 30}": float(-n) for n in range(15)}
        for i in range(6)
    }
    for name, step in (("one", 1), ("two", 7), ("three", 11))
}


@pytest.fixture
def partly(here: Path, once: Once) -> None:  # noqa: ARG001
    """Load three runs, and judgments of some of what they show."""

    def fill() -> None:
        texts = "query_id,text\n" + "".join(f'q{i},"the, {i}th"\n' for i in range(6))
        Path("texts.csv").write_text(texts)
        with Warehouse.write("ndcg.duckdb") as own:
            own.load_judgments(JUDGED, "qrels")
            own.load_queries("texts.csv")
            for name, ranked in RANKED.items():
                own.load_run(ranked, name)

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


@pytest.mark.usefixtures("partly")
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_pool_goes_out_and_comes_back(ndcg: Command, form: str) -> None:
    path = Path(f"pool.{form}")
    assert ndcg("pool", "-o", path).code == 0
    blank, filled = (",\n", ",2\n") if form == "csv" else ("null}", "2}")
    path.write_text(path.read_text().replace("\r\n", "\n").replace(blank, filled))
    result = ndcg("load", "judgments", path, "--base", "qrels")
    assert '"pool", 100 more than "qrels": 6 queries, 130 judg' in result.err
    policy = "select policy from judgment_sets where name = 'pool'"
    assert stored(policy) == [("extended",)]
    graded = "select query_id, doc_id, grade from judgments where judgment_set = 'pool'"
    old = {(q, d, grade) for q, grades in JUDGED.items() for d, grade in grades.items()}
    assert {*shown(graded)} == old | {(*pair, 2) for pair in pooled(10)}
    rows = records(ndcg, "report", "-m", "Judged@10")
    assert [row["value"] for row in rows] == [1, 1, 1]
    # What may hold grades is not written over without a word.
    assert ndcg("pool", "-o", path, "--force").code == 0


@pytest.mark.usefixtures("partly")
@pytest.mark.parametrize(
    "options", [("--depth", "3"), ("--run", "one", "--run", "two", "--budget", "7")]
)
def test_a_pool_tells_assessors_nothing(ndcg: Command, options: tuple[str]) -> None:
    text = ndcg("pool", *options).out
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == ["query_id", "query_text", "doc_id", "grade"]
    assert rows[0]["query_text"] == f"the, {rows[0]['query_id'][1:]}th"
    pairs = [(row["query_id"], row["doc_id"]) for row in rows]
    first = records(ndcg, "holes", *options[:-2])[:7]
    by_budget = {(row["query_id"], row["doc_id"]) for row in first}
    assert {*pairs} == (pooled(3) if options[0] == "--depth" else by_budget)
    # A query's documents stand together, in an order that only the seed tells.
    queries = [query for query, _ in groupby(pairs, lambda pair: pair[0])]
    assert len(queries) == len({*queries})
    assert pairs != sorted(pairs)
    # It is the same in Python.
    with Warehouse("ndcg.duckdb") as own, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked: dict[str, Any] = {"runs": ["one", "two"], "budget": 7}
        asked = {"depth": 3} if "3" in options else asked
        assert own.pool(**asked).to_dicts() == records(ndcg, "pool", *options)
    if "7" in options:
        err = ndcg("pool", *options, "-m", "nDCG@5").err
        told = "those that could change nDCG@5 of 2 runs most, without those that"
        assert f'{told} "qrels"' in err
    other = ndcg("pool", *options, "--seed", "1").out
    assert text == ndcg("pool", *options, "--seed", "0").out != other
    assert sorted(other.splitlines()) == sorted(text.splitlines())


def test_a_pool_needs_no_judgments(ndcg: Command) -> None:
    text = "q1 Q0 a 0 2 t\nq1 Q0 b 0 1 t\nq2 Q0 a 0 1 t\n"
    load_texts(ndcg, {"run one --dataset d": text})
    result = ndcg("pool")
    assert sorted(result.out.splitlines()[1:]) == ["q1,,a,", "q1,,b,", "q2,,a,"]
    assert result.err == "pooled 3 documents for 2 queries: the first 10 of 1 run\n"
    load_texts(ndcg, {"judgments 'old set' --dataset d": "q1 0 a 1\nq1 0 b -1\n"})
    assert len(ndcg("pool", "--all-queries").out.splitlines()) == 3
    result = ndcg("pool", "-o", "pool.csv")
    assert Path("pool.csv").read_text().splitlines()[1:] == ["q1,,b,"]
    assert "omitted 1 query without any judgment; include with --all" in result.err
    loading = "load judgments FILE --base 'old set' --dataset d\n"
    assert result.err.endswith(f"after filling in every grade: ndcg-sql {loading}")
    # Who leaves a grade empty may say that it stays so.
    options = ("--base", "old set", "--dataset", "d", "--label", "=-1")
    assert ndcg("load", "judgments", "pool.csv", *options).code == 0
    assert ndcg("pool").out.splitlines()[1:] == ["q1,,b,"]
