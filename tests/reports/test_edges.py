"""Where a rule has an edge: equal times, p equal to alpha, last bits, one document."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.system.limits import Limits

DAY = datetime(2026, 1, 1)
RUNS = {
    "last": {"q1": ["a", "x", "b"], "q2": ["c"]},
    "middle": {"q1": ["b"], "q2": ["x", "c", "y"], "q3": ["c"]},
    "early": {"q1": ["x", "y"], "q2": ["d", "c"]},
}
SETS = {
    "narrow": {"q1": {"a": 2, "b": -1}, "q2": {"c": 1}, "q3": {"z": 1}},
    "wide": {"q1": {"a": 1, "b": 2, "x": 0}, "q2": {"c": 1, "x": 0, "y": -1}},
}
# P@10 of six queries. Some differences are equal but for their last bits.
FIRST = (0.9, 0.1, 0.4, 0.1, 0.7, 0.7)
SECOND = (0.7, 1.0, 0.6, 0.3, 0.1, 0.7)


@pytest.fixture
def warehouse(empty_file: Path, here: Path) -> Iterator[Warehouse]:
    """Return a warehouse without data."""
    path = Path(shutil.copyfile(empty_file, here / "ndcg.duckdb"))
    with Warehouse.write(path, limits=Limits(threads=1)) as held:
        yield held


def describe(warehouse: Warehouse, queries: list[str]) -> None:
    """Give all queries the same attribute."""
    lines = ["query_id,kind", *(f"{query},only" for query in queries)]
    Path("queries.csv").write_text("\n".join(lines))
    warehouse.load_queries("queries.csv")


@pytest.fixture
def judged(warehouse: Warehouse) -> Warehouse:
    """Load runs of one time, and values under two sets in another order."""
    warehouse.load_judgments(SETS["narrow"], "narrow")
    describe(warehouse, ["q1", "q2", "q3"])
    for name, ranked in RUNS.items():
        warehouse.load_run(ranked, name, run_at=DAY)
    warehouse.load_judgments(SETS["wide"], "wide", evaluate=False)
    for name in ("early", "middle", "last"):
        warehouse.evaluate(runs=name, judgments="wide")
    return warehouse


def records(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    """Return rows of the public relations."""
    return warehouse.connection.execute(sql).fetchall()


def share(ranked: dict[str, list[str]], judged: dict[str, dict[str, int]]) -> float:
    """Return judged@10: the mean share of documents with a grade from 0."""
    total = 0.0
    for query, grades in judged.items():
        documents = ranked.get(query, [])
        hits = [document for document in documents if grades.get(document, -1) >= 0]
        total += len(hits) / len(documents) if documents else 0
    return total / len(judged)


def test_judgment_sets_do_not_mix(judged: Warehouse) -> None:
    sql = (
        "select judgment_set, run, previous_run, value, previous_value, judged_at_k"
        " from history where measure = 'nDCG@10' order by judgment_set, run_id"
    )
    found = records(judged, sql)
    # Runs of one time are in the order of loading.
    assert [row[:3] for row in found] == [
        (judgments, run, previous)
        for judgments in SETS
        for run, previous in zip(RUNS, (None, *RUNS), strict=False)
    ]
    for before, after in pairwise(found):
        assert after[4] == (before[3] if after[2] else None)
    shares = [share(RUNS[run], SETS[judgments]) for judgments, run, *_ in found]
    assert len({*shares}) == 6
    assert [row[5] for row in found] == pytest.approx(shares)
    for relation in ("run_values", "slice_values"):
        sql = f"select judged_at_k from {relation} where measure = 'nDCG@10'"
        known = records(judged, sql + " order by judgment_set, run_id")
        assert [value for (value,) in known] == pytest.approx(shares), relation
    for judgments in SETS:
        rows = judged.history("nDCG@10", judgments=judgments).to_dicts()
        assert [row["previous_run"] for row in rows] == [None, "last", "middle"]


def test_a_query_with_one_document_is_not_omitted(warehouse: Warehouse) -> None:
    warehouse.load_judgments({"one": {"a": 1}, "none": {"a": 1}})
    warehouse.load_run({"one": ["a"]}, "base")
    measures = ["RR(missing='omit')", "nDCG(missing='omit')@5"]
    rows = warehouse.report(measures, per_query=True).to_dicts()
    values = {(row["measure"], row["query_id"]): row["value"] for row in rows}
    assert values == {
        (measure, query): {"one": 1, "none": None}[query]
        for measure in measures
        for query in ("one", "none")
    }


def test_p_equal_to_alpha_is_not_significant(warehouse: Warehouse) -> None:
    queries = [f"q{number}" for number in range(5)]
    warehouse.load_judgments({query: {"a": 1} for query in queries})
    warehouse.load_run({query: ["a"] for query in queries}, "good")
    warehouse.load_run({query: ["x", "a"] for query in queries}, "bad")
    # Of the 32 ways to swap runs, two differ as much.
    for alpha, word, groups in ((2 / 32, "ns", ["a", "a"]), (0.07, "fail", ["a", "b"])):
        given: dict[str, Any] = {"test": "randomization", "correct": "none"}
        given |= {"alpha": alpha}
        board = warehouse.leaderboard("RR", **given).to_dicts()
        assert [row["groups"] for row in board] == groups
        gate = warehouse.gate("good", "bad", "RR", **given).to_dicts()
        assert [row["p"] for row in gate] == [2 / 32]
        assert (gate[0]["outcome"] == "fail") == (word == "fail")
        shown = str(warehouse.compare("good", "bad", "RR", **given))
        assert ("*" in shown.split("significant")[0]) == (word == "fail")
    # That of Tukey's test is the share of the permutations that were drawn.
    given = {"correct": "tukey", "resamples": 500}
    [row] = warehouse.compare("good", "bad", "RR", **given).to_dicts()
    p = row["p_adjusted"]
    for alpha, groups in ((p, ["a", "a"]), (p * (1 + 1e-9), ["a", "b"])):
        board = warehouse.leaderboard("RR", alpha=alpha, **given).to_dicts()
        assert [row["groups"] for row in board] == groups


def test_differences_that_are_equal_but_for_last_bits_are_equal(
    warehouse: Warehouse,
) -> None:
    documents = [f"d{number}" for number in range(10)]
    judged = {f"q{n}": dict.fromkeys(documents, 1) for n in range(len(FIRST))}
    warehouse.load_judgments(judged)
    for name, values in (("first", FIRST), ("second", SECOND)):
        warehouse.load_run(
            {f"q{n}": documents[: round(10 * v)] for n, v in enumerate(values)}, name
        )
    given: dict[str, Any] = {"test": "wilcoxon", "correct": "none"}
    [row] = warehouse.compare("first", "second", "P@10", **given).to_dicts()
    assert row["p_adjusted"] == 0.8125
    # Counted apart, p would be 1.
    for alpha, groups in ((0.8, ["a", "a"]), (0.9, ["a", "b"])):
        board = warehouse.leaderboard("P@10", alpha=alpha, **given).to_dicts()
        assert [row["groups"] for row in board] == groups


def test_values_that_differ_in_the_last_bits_are_ties(warehouse: Warehouse) -> None:
    judged = {f"q{number}": {"a": 1} for number in range(4)}
    warehouse.load_judgments(judged)
    describe(warehouse, [*judged])
    for name in ("base", "new"):
        warehouse.load_run({query: ["a"] for query in judged}, name)
    for query, less in (("q0", 1e-15), ("q1", -1e-15), ("q2", 0.1)):
        warehouse.database.execute(
            "update stored_values set value = value - $less where query_id = $query"
            " and run_id = (select run_id from runs where name = 'new')",
            {"less": less, "query": query},
        )
    for relation in ("run_comparisons", "slice_comparisons"):
        sql = (
            f"select wins, ties, losses from {relation}"
            " where measure = 'AP' and baseline = '{}'"
        )
        assert records(warehouse, sql.format("base")) == [(0, 3, 1)]
        assert records(warehouse, sql.format("new")) == [(1, 3, 0)]
