"""What readers of a comparison must know, and comparisons in SQL."""

import math
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, records
from support.files import shown
from support.gates import QUERIES

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
# The queries of two candidates, and what is told of Tukey's p.
TUKEY = [
    ("12", "23", "only one query has a value for every run"),
    ("12", "34", "no query has a value for every run"),
    ("123", "234", "p adjusted over 2 queries with a value for every run"),
    ("123", "123", None),
]


@pytest.mark.parametrize(("first", "second", "note"), exploring.sampled(TUKEY, 2))
def test_tukey_rests_on_the_queries_of_every_run(
    ndcg: Command, first: str, second: str, note: str | None
) -> None:
    answered = {"base": "1234", "first": first, "second": second}
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in "1234"})
        for name, queries in answered.items():
            place = -1 if name == "base" else 1
            own.load_run({q: {"a": 0, "x": place} for q in queries}, name)
    asked = (*answered, "-m", "RR(missing='omit')", "--correct", "tukey")
    for row in records(ndcg, "compare", *asked):
        told = "; ".join(filter(None, ("all differences are equal", note)))
        assert (row["n"], row["note"]) == (len(first), told)
        assert row["p_randomization"] is not None
        assert (row["p_adjusted"] is None) == (note is not None and "adj" not in note)


def test_queries_that_one_run_leaves_out_are_no_pair(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"x": 1} for q in ("q1", "q2", "q3")})
        own.load_run({"q1": ["x"], "q2": ["x"]}, "a")
        # A name that looks like a pattern is that name.
        for name in ("b*", "b1"):
            own.load_run({"q1": ["x"], "q3": ["x"]}, name)
    asked = ("compare", "a", "b*", "-m", "RR RR(missing='omit')")
    line = 'run "{}": 1 judged query without an answer\n'
    assert ndcg(*asked).err == line.format("a") + line.format("b*")
    found = records(ndcg, *asked)
    assert [(row["n"], row["ties"]) for row in found] == [(3, 1), (1, 1)]
    assert [row["candidate_value"] for row in found] == [pytest.approx(2 / 3), 1]
    found = records(ndcg, "compare", "a", "b?", "-m", "RR")
    assert [row["candidate"] for row in found] == ["b*", "b1"]
    [row] = records(ndcg, "compare", "b*", "a", "-m", "RR")
    assert row["baseline"] == "b*"


def test_many_candidates_stay_on_a_screen(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        for number in range(17):
            low = {q: {"a": 1, "x": i < number} for i, q in enumerate(QUERIES[1:])}
            own.load_run(low, f"run{number:02}")
        own.load_judgments({q: {"a": 1} for q in QUERIES})
    asked = ("compare", "run00", "run*", "-m", "RR")
    result = ndcg(*asked)
    assert result.err == "17 runs: 1 judged queries without an answer\n"
    assert "lost and won most" not in result.out
    assert (result.out + result.err).count("\n") <= 40
    for options, has_queries in (("3", True), ("4", False), ("3 --no-queries", False)):
        out = ndcg(*asked, "--limit", *options.split()).out
        assert ("lost and won most" in out) == has_queries


TURNED = 'warning: run "new": RR differs by +'
WEIGHED = {
    "compare old new": f"{TURNED}0.2500, but with the weights of the queries by -0",
    "gate old new": f"{TURNED}0.2500, but with the weights of the queries by -0.25",
    "compare old new --by kind": f'{TURNED}0.1667 for kind "a", but with the weigh',
    "leaderboard": 'warning: with the weights of the queries, run "old" is first',
}


@pytest.mark.parametrize("heavy", [True, False])
def test_weights_that_turn_it_round_are_told(ndcg: Command, heavy: bool) -> None:
    names = [f"q{i}" for i in range(4)]
    weights = [
        f"{q},{9 if (q == 'q0') == heavy else 1},{'b' if q > 'q2' else 'a'}"
        for q in names
    ]
    Path("q.csv").write_text("\n".join(["query_id,weight,kind", *weights]))
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({q: {"a": 1} for q in names})
        for name, found in (("old", names[:1]), ("new", names[1:])):
            own.load_run({q: {"b": 2, "a": 3.0 * (q in found)} for q in names}, name)
        own.load_queries("q.csv")
    for command, told in WEIGHED.items():
        err = ndcg(*command.split(), "-m", "RR").err
        # Where they agree, nothing is told.
        assert err.startswith(told) if heavy else "weights" not in err


def test_a_run_of_which_fewer_documents_are_judged_is_told(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments({"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 1}})
        for name, second in (("shown", "b"), ("other", "c"), ("third", "b")):
            own.load_run({q: ["a", second] for q in ("q1", "q2")}, name)
    line = (
        'warning: run "other": 50% of the first 2 documents are judged, of run "shown"'
        ' 100%; unjudged ones count as not relevant, which favours "shown"'
    )
    runs = ("shown", "other", "third")
    compared = ndcg("compare", *runs, "-m", "AP nDCG@2 P@2").err.splitlines()
    assert compared.count(line) == 1
    assert not any("third" in told for told in compared)
    assert line in ndcg("gate", *runs[:2], "-m", "nDCG@2").err.splitlines()
    # These values do not depend on them.
    condensed = ndcg("compare", *runs, "-m", "nDCG(judged_only=true)@2 Judged@2 AP")
    assert "judged, of" not in condensed.err


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


SUMMARIES: dict[str, Callable[[list[float]], float]] = {
    "NumRet": sum,
    "gm_map": lambda values: math.exp(mean([math.log(max(v, 1e-5)) for v in values])),
}


@pytest.mark.slow
def test_comparisons_in_sql_pair_and_sum_values(here: Path) -> None:
    random = Random(5)
    queries, documents = [f"q{i}" for i in range(60)], [f"d{i}" for i in range(8)]
    grades = {q: {d: random.choice((0, 0, 1, 2)) for d in documents} for q in queries}
    lines = [
        f"{q},{random.choice(('', '0.5', '3', '1e100'))},"
        f"{random.choice(('mobile', 'desktop', ''))},{random.choice('ab')}"
        for q in queries
    ]
    (here / "q.csv").write_text("\n".join(["query_id,weight,device,country", *lines]))
    with opening.memory() as warehouse:
        names = "nDCG@5 RR(missing='omit',no_rel='omit') NumRet gm_map"
        replace_registered(warehouse, parse(names))
        own = Warehouse(":memory:").holding(warehouse)
        own.load_judgments(grades)
        for name in ("a", "b", "c"):
            answered = random.sample(queries, 50)
            own.load_run(
                {q: {d: random.random() for d in documents} for q in answered}, name
            )
        own.load_queries("q.csv")
        sql = "select run, query_id, measure, value from query_values"
        value = {tuple(row[:3]): row[3] for row in warehouse.execute(sql)}
        weights = dict(warehouse.execute("select query_id, weight from queries"))
        compared = warehouse.records("from comparisons")
        found = warehouse.records("from run_comparisons")
        sliced = warehouse.records("from slice_comparisons")
    pairs: dict[tuple[str, str, str], list[Record]] = {}
    for row in compared:
        sides = (row["baseline"], row["candidate"])
        both = [value[run, row["query_id"], row["measure"]] for run in sides]
        assert [row["baseline_value"], row["candidate_value"]] == both
        assert row["difference"] == (None if None in both else both[1] - both[0])
        pairs.setdefault((*sides, row["measure"]), []).append(row)
    assert {len(every) for every in pairs.values()} == {60}
    assert len(found) == len(pairs) == 6 * 4
    for row in found:
        key = (row["baseline"], row["candidate"], row["measure"])
        every = [one for one in pairs[key] if one["difference"] is not None]
        differences = {one["query_id"]: one["difference"] for one in every}
        summary = SUMMARIES.get(row["measure"], mean)
        for side in ("baseline_value", "candidate_value"):
            assert row[side] == pytest.approx(summary([one[side] for one in every]))
        assert row["difference"] == row["candidate_value"] - row["baseline_value"]
        wins, losses = (sum(s * d > 0 for d in differences.values()) for s in (1, -1))
        counts = (row["n"], row["wins"], row["ties"], row["losses"])
        assert counts == (len(every), wins, len(every) - wins - losses, losses)
        if row["measure"] in SUMMARIES:
            assert (row["weighted_n"], row["weighted_difference"]) == (0, None)
            continue
        weighted = {q: w for q in differences if (w := weights[q]) is not None}
        top = max(weighted.values())
        total = sum(w / top for w in weighted.values())
        average = sum(differences[q] * w / top for q, w in weighted.items()) / total
        assert row["weighted_n"] == len(weighted)
        assert row["weighted_difference"] == pytest.approx(average, rel=1e-12)
        # The slices of an attribute add up to the whole.
        for attribute in ("device", "country"):
            own = [
                one
                for one in sliced
                if (one["baseline"], one["candidate"], one["measure"]) == key
                and one["attribute"] == attribute
            ]
            for count in ("n", "wins", "losses"):
                assert sum(one[count] for one in own) == row[count]
            whole = sum(one["difference"] * one["n"] for one in own) / row["n"]
            assert whole == pytest.approx(row["difference"], abs=1e-15)


FILTERS = {
    "baseline_run_id = 1 and candidate_run_id = 2",
    "baseline = 'run1' and candidate = 'run2'",
}


@pytest.mark.parametrize(
    "view", ["comparisons", "run_comparisons", "slice_comparisons"]
)
def test_one_pair_is_compared_without_the_others(view: str) -> None:
    runs, queries = 30, 1000
    filled = {
        "stored_values": "select run_id, 1, 'RR', 'q' || query, random(), null, null,"
        " false from runs, queries",
        "runs": "select run_id, 'd', 'run' || run_id, 'score', '', '', null, now(), 1,"
        " 1 from runs",
        "judgment_sets": "values (1, 'd', 'j', '', '', now(), 1, 1, null)",
        "judgments": "select 1, 'q' || query, 'd', 1, null from queries",
        "query_attributes": "select 'd', 'q' || query, 'odd', query % 2 from queries",
    }
    with opening.memory() as warehouse:
        for table, select in filled.items():
            warehouse.execute(
                f"insert into {table} with runs as (select range as run_id from"
                f" range(1, {runs + 1})), queries as (select range as query from"
                f" range({queries})) {select}"
            )
        warehouse.execute("delete from measures where measure <> 'RR'")
        for asked in FILTERS:
            sql = f"explain (analyze, format json) from {view} where {asked}"
            plan = warehouse.execute(sql)[0][1]
            # DuckDB 1.5 and 2.0 nest the steps of a plan differently.
            made = re.findall(
                r'"(?:operator_cardinality|intermediate_rows)": *"?([0-9]+)', plan
            )
            # A scan may give the rows of all runs, a join those of the pair alone.
            assert 0 < max(map(int, made)) <= runs * queries


@pytest.mark.quick
def test_p_equal_to_alpha_is_not_significant() -> None:
    queries = [f"q{number}" for number in range(5)]
    given: dict[str, Any] = {"test": "randomization", "correct": "none"}
    with Warehouse.memory() as own:
        own.load_judgments({query: {"a": 1} for query in queries})
        own.load_run({query: ["a"] for query in queries}, "good")
        own.load_run({query: ["x", "a"] for query in queries}, "bad")
        # Of the 32 ways to swap runs, two differ as much.
        for alpha, groups in ((2 / 32, ["a", "a"]), (0.07, ["a", "b"])):
            given["alpha"] = alpha
            assert own.leaderboard("RR", **given)["groups"] == groups
            [row] = own.gate("good", "bad", "RR", **given)
            is_significant = groups == ["a", "b"]
            assert (row["p"], row["outcome"] == "fail") == (2 / 32, is_significant)
            text = str(own.compare("good", "bad", "RR", **given))
            assert ("*" in text.split("significant")[0]) == is_significant
        # That of Tukey's test is the share of the permutations that were drawn.
        given = {"correct": "tukey", "resamples": 500}
        [p] = own.compare("good", "bad", "RR", **given)["p_adjusted"]
        for alpha, groups in ((p, ["a", "a"]), (p * (1 + 1e-9), ["a", "b"])):
            assert own.leaderboard("RR", alpha=alpha, **given)["groups"] == groups


# P@10 of six queries. Some differences are equal but for their last bits.
EQUAL = {
    "first": (0.9, 0.1, 0.4, 0.1, 0.7, 0.7),
    "second": (0.7, 1.0, 0.6, 0.3, 0.1, 0.7),
}


@pytest.mark.quick
def test_last_bits_of_differences_are_ignored() -> None:
    documents = [f"d{number}" for number in range(10)]
    given: dict[str, Any] = {"test": "wilcoxon", "correct": "none"}
    with Warehouse.memory() as own:
        own.load_judgments({f"q{n}": dict.fromkeys(documents, 1) for n in range(6)})
        for name, values in EQUAL.items():
            ranked = {f"q{n}": documents[: round(10 * v)] for n, v in enumerate(values)}
            own.load_run(ranked, name)
        [p] = own.compare("first", "second", "P@10", **given)["p_adjusted"]
        assert p == 0.8125
        # Counted apart, p would be 1.
        for alpha, groups in ((0.8, ["a", "a"]), (0.9, ["a", "b"])):
            assert own.leaderboard("P@10", alpha=alpha, **given)["groups"] == groups


@pytest.mark.quick
def test_values_that_differ_in_the_last_bits_are_ties(here: Path) -> None:
    judged = {f"q{number}": {"a": 1} for number in range(4)}
    (here / "q.csv").write_text(
        "\n".join(["query_id,kind", *(f"{q},x" for q in judged)])
    )
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments(judged)
        own.load_queries("q.csv")
        for name in ("base", "new"):
            own.load_run({query: ["a"] for query in judged}, name)
        for query, less in (("q0", 1e-15), ("q1", -1e-15), ("q2", 0.1)):
            own.database.execute(
                f"update stored_values set value = value - {less} where query_id ="
                f" '{query}' and run_id = 2"
            )
    for relation, (baseline, counts) in product(
        ("run_comparisons", "slice_comparisons"),
        {"base": (0, 3, 1), "new": (1, 3, 0)}.items(),
    ):
        where = f"measure = 'AP' and baseline = '{baseline}'"
        found = shown(f"select wins, ties, losses from {relation} where {where}")
        assert found == [counts]
