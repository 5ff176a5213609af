"""What readers of a comparison must know, and comparisons in SQL."""

import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from support.gates import QUERIES
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

Record = dict[str, Any]
_FILE = Path("ndcg.duckdb")


def tukey(first: str, second: str) -> str:
    """Compare two runs of some queries with one of 1234; return what is told."""
    answered = {"base": "1234", "first": first, "second": second}
    with Warehouse.write(_FILE) as own:
        own.load_judgments({q: {"a": 1} for q in "1234"})
        for name, queries in answered.items():
            place = -1 if name == "base" else 1
            ranked = {q: {"a": 0, "x": place} for q in queries}
            own.load_run(ranked, name, replace=True)
        measure = "RR(missing='omit')"
        rows = own.compare("base", ["first", "second"], measure, correct="tukey")
    assert all(row["p_randomization"] is not None for row in rows)
    return "\n".join(
        f"{row['n']} {row['note']}" + " (no p adjusted)" * (row["p_adjusted"] is None)
        for row in rows
    )


def seventeen() -> None:
    """Load seventeen runs, each of which is worse than the one before."""
    with Warehouse.write(_FILE) as own:
        for number in range(17):
            low = {q: {"a": 1, "x": i < number} for i, q in enumerate(QUERIES[1:])}
            own.load_run(low, f"run{number:02}")
        own.load_judgments({q: {"a": 1} for q in QUERIES})


def warned(method: Callable[..., object], *names: Any) -> list[str]:
    """Return what a method warns of judged documents."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        method(*names)
    return [text for one in caught if "judged, of" in (text := str(one.message))]


def significance(alpha: float) -> tuple[object, ...]:
    """Return the groups of two runs, the p and outcome of a gate, and any mark."""
    own = Warehouse(_FILE)
    given: Any = {"test": "randomization", "correct": "none", "alpha": alpha}
    [row] = own.gate("good", "bad", "RR", **given)
    text = str(own.compare("good", "bad", "RR", **given)).split("significant")[0]
    groups = own.leaderboard("RR", **given)["groups"]
    return groups, row["p"], row["outcome"], "*" in text


def tenths(**values: tuple[int, ...]) -> None:
    """Load runs by their values of P@10 in tenths."""
    documents = [f"d{number}" for number in range(10)]
    with Warehouse.write(_FILE) as own:
        own.load_judgments({f"q{n}": dict.fromkeys(documents, 1) for n in range(6)})
        for name, tens in values.items():
            own.load_run({f"q{n}": documents[:t] for n, t in enumerate(tens)}, name)


test_script = scripted(__file__, tukey, seventeen, warned, significance, tenths)


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
