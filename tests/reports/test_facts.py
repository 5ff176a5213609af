"""Facts of one small shop, computed by hand: each is lost by a single wrong condition.

All names are those of another dataset, too, and runs are loaded in another order than
they were made in.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from ndcg_sql import NdcgSqlError, Warehouse

FIRST = {"q1": {"a": 1}, "q2": {"b": 2, "x": -1}, "q3": {"c": 1}}
SECOND = {"q1": {"a": 2, "d": 1}, "q2": {"b": 1, "x": -1}, "q3": {"c": 1}}
FILES = {
    "queries": "query_id,weight\nq1,3\nq2,1\nq3,0.5\n",
    "new": "query_id,latency\nq1,1\nq2,2\n",
    "old": "query_id,latency\nq1,2\nq2,3\nq3,9\n",
    "panel": "query_id,doc_id,ann,bob\nq1,a,1,1\nq1,b,1,0\nq1,c,1,0\nq1,d,0,0\n",
    "external": "query_id,AP\nq1,1\nq2,0.5\nq3,0\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("shop")
    paths = {name: folder / f"{name}.csv" for name in FILES}
    for name, path in paths.items():
        path.write_text(FILES[name])
    with Warehouse.write(folder / "ndcg.duckdb") as shop:
        shop.add_measures("RR(missing='omit')")
        shop.load_judgments(FIRST, "first")
        shop.load_judgments({"q1": {"z": 1}}, "first", dataset="news")
        shop.load_judgments(SECOND, "second")
        shop.load_queries(paths["queries"])
        new = {"q1": ["a", "y", "b"], "q2": ["x", "b"], "q3": []}
        shop.load_run(new, "new", run_at=datetime(2026, 2, 1))
        old = {"q1": ["b", "a"], "q2": ["b"], "q3": ["c"]}
        shop.load_run(old, "old", run_at=datetime(2026, 1, 1))
        shop.load_values(paths["new"], "new", lower_is_better="latency")
        shop.load_values(paths["old"], "old")
        shop.load_values(paths["external"], "external", judgments="first")
        shop.evaluate(judgments="first")
        shop.evaluate(runs="external", judgments="second")
        columns = ("ann", "bob")
        shop.load_assessments(paths["panel"], dataset="panel", assessor_columns=columns)
        yield shop


# With its columns, a condition on its rows, and these.
RELATIONS: dict[str, tuple[str, str, list[tuple[object, ...]]]] = {
    "history": (
        "run, previous_run",
        "measure = 'RR' and judgment_set = 'second'",
        [("new", "old"), ("old", None)],
    ),
    "judgment_changes": (
        "dataset, query_id, doc_id, change, other_grade, grade",
        "judgment_set = 'second'",
        [
            ("default", "q1", "a", "regraded", 1, 2),
            ("default", "q1", "d", "added", None, 1),
            ("default", "q2", "b", "regraded", 2, 1),
        ],
    ),
    "weighted_run_values": (
        "run, round(weighted_value, 9)",
        "measure = 'RR' and judgment_set = 'second'",
        [("new", round(3.5 / 4.5, 9)), ("old", round(3 / 4.5, 9))],
    ),
    # RR(missing='omit'), and latency, where lower is better: the third query has a
    # value of the baseline alone.
    "run_comparisons": (
        "n, baseline_value, candidate_value, difference, wins, ties, losses",
        "judgment_set = 'second' and baseline = 'old'"
        " and measure in ('RR(missing=''omit'')', 'latency')",
        [(2, 0.75, 0.75, 0, 1, 0, 1), (2, 2.5, 1.5, -1, 2, 0, 0)],
    ),
    # Values of our own measures hold with the judgments that they were loaded for.
    "query_values": (
        "judgment_set, query_id, value",
        "run = 'external'",
        [("first", "q1", 1), ("first", "q2", 0.5), ("first", "q3", 0)],
    ),
    # An empty answer is none.
    "evaluations": (
        "run, answered, unanswered",
        "judgment_set = 'second' and run <> 'external'",
        [("new", 2, 1), ("old", 3, 0)],
    ),
}


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_relation_has_these_rows(shop: Warehouse, relation: str) -> None:
    columns, condition, rows = RELATIONS[relation]
    select = f"select {columns} from {relation} where {condition} order by all"
    assert shop.connection.sql(select).fetchall() == rows


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_is_to_be_judged(shop: Warehouse) -> None:
    # A negative grade is no judgment.
    pools = {depth: shop.pool(depth=depth).to_dicts() for depth in (1, 2)}
    documents = {d: {(r["query_id"], r["doc_id"]) for r in p} for d, p in pools.items()}
    assert documents[1] == {("q1", "b"), ("q2", "x")}
    assert documents[2] == {*documents[1], ("q1", "y")}
    holes = shop.unjudged().to_dicts()
    assert {(row["query_id"], row["doc_id"]) for row in holes} == documents[2]


def test_a_report_is_of_the_newest_judgments(shop: Warehouse) -> None:
    with pytest.warns(UserWarning, match='RR: no values of run "external"'):
        report = shop.report("RR").to_dicts()
    assert {row["judgment_set"] for row in report} == {"second"}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_worst_is_the_highest_where_lower_is_better(shop: Warehouse) -> None:
    runs = ["new", "old"]
    values = shop.report("latency", runs=runs, per_query=True).to_dicts()
    worst = shop.report("latency", runs=runs, per_query=True, worst=1).to_dicts()
    for row in worst:
        others = {one["value"] for one in values if one["run"] == row["run"]} - {None}
        assert row["value"] == max(others) > min(others)
    rows = shop.report("latency", runs=runs, sort="latency").to_dicts()
    assert [row["value"] for row in rows] == sorted(row["value"] for row in rows)


def test_agreement_is_beyond_chance(shop: Warehouse) -> None:
    # Half of the grades are equal; by chance, 3/4 * 1/4 + 1/4 * 3/4 = 3/8 are.
    rows = shop.agreement(dataset="panel").to_dicts()
    [kappa] = [row["value"] for row in rows if row["statistic"] == "cohen_kappa"]
    assert kappa == pytest.approx((1 / 2 - 3 / 8) / (1 - 3 / 8))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_of_equal_majorities_the_lowest_grade_is_chosen(shop: Warehouse) -> None:
    shop.adjudicate("majority", policy="majority", dataset="panel")
    select = (
        "select grade from judgments where judgment_set = 'majority' order by doc_id"
    )
    assert shop.connection.sql(select).fetchall() == [(1,), (0,), (0,), (0,)]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_minimum_needs_a_value(shop: Warehouse) -> None:
    shop.load_judgments({"q1": {"z": 0}}, "none", dataset="empty")
    for name in ("base", "new"):
        shop.load_run({"q1": ["z"]}, name, dataset="empty")
    least = {"RR(no_rel='omit')": 0.1}
    verdict = shop.gate("base", "new", "RR", minimum=least, dataset="empty")
    assert not verdict.passed


def test_of_a_refused_load_nothing_stays(shop: Warehouse, here: Path) -> None:
    (here / "good").write_text("q1 0 a 1\n")
    (here / "bad").write_text("q1 0 a one\n")
    with pytest.raises(NdcgSqlError, match="bad:1: "):
        shop.load_judgments(["good", "bad"], dataset="half")
    kept = "from judgment_sets where dataset = 'half'"
    assert shop.connection.sql(kept).fetchall() == []
