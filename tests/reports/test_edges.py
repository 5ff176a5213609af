"""Where a rule has an edge: equal times, p equal to alpha, last bits, one document."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
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


def judge(warehouse: Warehouse) -> None:
    """Load runs of one time, and values under two sets in another order."""
    warehouse.load_judgments(SETS["narrow"], "narrow")
    describe(warehouse, ["q1", "q2", "q3"])
    for name, ranked in RUNS.items():
        warehouse.load_run(ranked, name, run_at=DAY)
    warehouse.load_judgments(SETS["wide"], "wide", evaluate=False)
    for name in ("early", "middle", "last"):
        warehouse.evaluate(runs=name, judgments="wide")


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


def test_judgment_sets_do_not_mix(warehouse: Warehouse) -> None:
    judge(warehouse)
    sql = (
        "select judgment_set, run, previous_run, value, previous_value, judged_at_k"
        " from history where measure = 'nDCG@10' order by judgment_set, run_id"
    )
    found = records(warehouse, sql)
    assert [row[:3] for row in found] == [
        (judgments, run, previous)
        for judgments in ("narrow", "wide")
        for run, previous in zip(RUNS, (None, *RUNS), strict=False)
    ]
    for before, after in pairwise(found):
        assert after[4] == (before[3] if after[2] else None)
    shares = [share(RUNS[run], SETS[judgments]) for judgments, run, *_ in found]
    assert len({*shares}) == 6
    assert [row[5] for row in found] == pytest.approx(shares)
    sql = (
        "select judged_at_k from {} where measure = 'nDCG@10'"
        " order by judgment_set, run_id"
    )
    for relation in ("run_values", "slice_values"):
        known = [value for (value,) in records(warehouse, sql.format(relation))]
        assert known == pytest.approx(shares), relation


def test_runs_of_one_time_are_in_the_order_of_loading(warehouse: Warehouse) -> None:
    judge(warehouse)
    for judgments in SETS:
        rows = warehouse.history("nDCG@10", judgments=judgments).to_dicts()
        assert [row["run"] for row in rows] == [*RUNS]
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
    warehouse.load_run(
        {query: ["x", "a"] for query in queries},
        "bad",
    )
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


# Forty runs on three days, under two judgment sets with two measures; rows are in the
# order of nothing. Systems take turns.
VALUES_OVER_TIME = """
select
    run_id, 'run ' || run_id as run, 'shop' as dataset, judgment_set_id,
    'set ' || judgment_set_id as judgment_set, measure, slice,
    'system' as tag, if(run_id % 3 = 0, 'a', 'b') as tag_value,
    date '2026-01-01' + to_days(cast(run_id % 7 // 3 as integer)) as made_at,
    hash(run_id, judgment_set_id, measure, slice) % 1000 / 1000 as value,
    2 as n, 0.5 as judged_at_k
from range(1, 41) as runs (run_id), unnest([1, 2]) as sets (judgment_set_id),
    unnest(['AP', 'RR']) as measures (measure), unnest(['x', null]) as slices (slice)
order by hash(measure, run_id, judgment_set_id, slice)
"""


def test_a_series_is_in_the_order_of_time_and_then_of_loading(
    memory: Database,
) -> None:
    columns = "dataset, run_id, run, tag, tag_value, made_at"
    with (
        memory.temporary("run_values", VALUES_OVER_TIME),
        memory.temporary("run_series", f"select distinct {columns} from run_values"),
    ):
        stored = memory.records("from run_values")
        chosen = [run_id for run_id in range(1, 41) if run_id % 5]
        parameters = {"run_ids": chosen, "judgment_set_ids": [1, 2]}
        parameters |= {"measures": ["RR", "AP"], "tag": "system", "tag_value": None}
        rows = memory.records(sql_files.read("reports/history"), parameters)
    key = itemgetter("judgment_set_id", "measure", "tag_value", "slice")
    expected: dict[tuple[object, ...], object] = {}
    for series in {key(row) for row in stored}:
        of_series = [r for r in stored if key(r) == series and r["run_id"] in chosen]
        of_series.sort(key=itemgetter("made_at", "run_id"))
        for before, row in zip([None, *of_series], of_series, strict=False):
            names = (row["judgment_set"], row["measure"], row["slice"], row["run"])
            previous = (before["run"], before["value"]) if before else (None, None)
            expected[names] = (row["value"], *previous)
    assert len(expected) == 32 * 2 * 2 * 2
    own = {
        (r["judgment_set"], r["measure"], r["slice"], r["run"]): (
            *(r["value"], r["previous_run"], r["previous_value"]),
        )
        for r in rows
    }
    assert own == expected
    assert len(rows) == len(expected)
    # RR comes first, and what is not known last.
    ids = {row["run"]: row["run_id"] for row in stored}
    order = [
        (
            row["measure"] == "AP",
            row["slice"] is None,
            *(row["tag_value"], row["made_at"], ids[row["run"]]),
        )
        for row in rows
    ]
    assert order == sorted(order)
