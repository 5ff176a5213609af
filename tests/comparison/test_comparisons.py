"""Comparisons of runs in SQL: pairs, their sums, and slices that add up."""

import math
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse

MEASURES = "nDCG@5 RR(missing='omit',no_rel='omit') NumRet gm_map"


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return three runs of 60 queries, with weights and two attributes."""
    folder = tmp_path_factory.mktemp("compared")
    random = Random(5)
    queries = [f"q{i}" for i in range(60)]
    documents = [f"d{i}" for i in range(8)]
    grades = {q: {d: random.choice((0, 0, 1, 2)) for d in documents} for q in queries}
    (folder / "queries.csv").write_text(
        "query_id,weight,device,country\n"
        + "".join(
            f"{q},{random.choice(('', '0.5', '3', '1e100'))},"
            f"{random.choice(('mobile', 'desktop', ''))},{random.choice('ab')}\n"
            for q in queries
        )
    )
    with opening.memory() as warehouse:
        replace_registered(warehouse, parse(MEASURES))
        own = Warehouse(":memory:").holding(warehouse)
        own.load_judgments(grades)
        for name in ("a", "b", "c"):
            answered = random.sample(queries, 50)
            ranked = {q: {d: random.random() for d in documents} for q in answered}
            own.load_run(ranked, name)
        own.load_queries(folder / "queries.csv")
        yield warehouse


def summary(values: list[float], measure: str) -> float:
    """Return the value of a measure over the queries that both runs have."""
    if measure == "NumRet":
        return sum(values)
    if measure == "gm_map":
        return math.exp(sum(math.log(max(v, 1e-5)) for v in values) / len(values))
    return sum(values) / len(values)


@pytest.mark.slow
def test_comparisons_pair_the_values_of_two_runs_and_sum_them(
    warehouse: Database,
) -> None:
    sql = "select run, query_id, measure, value from query_values"
    values = {tuple(row[:3]): row[3] for row in warehouse.execute(sql)}
    weights = dict(warehouse.execute("select query_id, weight from queries"))
    pairs: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in warehouse.records("from comparisons"):
        sides = (row["baseline"], row["candidate"])
        baseline, candidate = (
            values[run, row["query_id"], row["measure"]] for run in sides
        )
        assert (row["baseline_value"], row["candidate_value"]) == (baseline, candidate)
        if baseline is None or candidate is None:
            assert row["difference"] is None
        else:
            assert row["difference"] == candidate - baseline
        pairs.setdefault((*sides, row["measure"]), []).append(row)
    assert {len(rows) for rows in pairs.values()} == {60}
    found = warehouse.records("from run_comparisons")
    assert len(found) == len(pairs) == 6 * 4
    for row in found:
        every = pairs[row["baseline"], row["candidate"], row["measure"]]
        rows = [one for one in every if one["difference"] is not None]
        differences = {one["query_id"]: one["difference"] for one in rows}
        assert row["n"] == len(rows)
        for side in ("baseline_value", "candidate_value"):
            expected = summary([one[side] for one in rows], row["measure"])
            assert row[side] == pytest.approx(expected)
        assert row["difference"] == row["candidate_value"] - row["baseline_value"]
        assert row["wins"] == sum(d > 0 for d in differences.values())
        assert row["losses"] == sum(d < 0 for d in differences.values())
        assert row["wins"] + row["ties"] + row["losses"] == row["n"]
        weighted = {q: w for q in differences if (w := weights[q]) is not None}
        if row["measure"] in ("NumRet", "gm_map"):
            assert (row["weighted_n"], row["weighted_difference"]) == (0, None)
        else:
            top = max(weighted.values())
            total = sum(w / top for w in weighted.values())
            mean = sum(differences[q] * w / top for q, w in weighted.items()) / total
            assert row["weighted_n"] == len(weighted)
            assert row["weighted_difference"] == pytest.approx(mean, rel=1e-12)


RECOMBINED = """
select
    whole.difference,
    sum(slices.difference * slices.n) / sum(slices.n),
    whole.n,
    sum(slices.n),
    whole.wins - sum(slices.wins),
    whole.losses - sum(slices.losses)

from run_comparisons as whole

inner join slice_comparisons as slices
    using (baseline_run_id, candidate_run_id, judgment_set_id, measure)

where
    slices.attribute = $attribute
    and measure not in ('NumRet', 'gm_map')

group by whole.difference, whole.n, whole.wins, whole.losses
"""


@pytest.mark.parametrize("attribute", ["device", "country"])
def test_slices_recombine_to_the_whole(warehouse: Database, attribute: str) -> None:
    found = warehouse.execute(RECOMBINED, {"attribute": attribute})
    assert len(found) == 6 * 2
    for difference, recombined, n, together, wins, losses in found:
        assert recombined == pytest.approx(difference, abs=1e-15)
        assert (together, wins, losses) == (n, 0, 0)


@pytest.mark.parametrize(
    "view", ["comparisons", "run_comparisons", "slice_comparisons"]
)
@pytest.mark.parametrize(
    "asked",
    [
        "baseline_run_id = 1 and candidate_run_id = 2",
        "baseline = 'run1' and candidate = 'run2'",
    ],
)
def test_one_pair_is_compared_without_the_others(view: str, asked: str) -> None:
    runs, queries = 30, 1000
    with opening.memory() as warehouse:
        warehouse.execute(
            "insert into stored_values select run_id, 1, 'RR', 'q' || query, random(),"
            f" null, null, false from range(1, {runs + 1}) as runs (run_id),"
            f" range({queries}) as queries (query)"
        )
        warehouse.execute(
            "insert into runs select run_id, 'd', 'run' || run_id, 'score', '', '',"
            f" null, now(), 1, 1 from range(1, {runs + 1}) as runs (run_id)"
        )
        warehouse.execute(
            "insert into judgment_sets values (1,'d','j','','',now(),1,1,null)"
        )
        warehouse.execute("delete from measures where measure <> 'RR'")
        for table, values in {
            "judgments": "1, 'q' || query, 'd', 1, null",
            "query_attributes": "'d', 'q' || query, 'parity', query % 2",
        }.items():
            every = f"range({queries}) as queries (query)"
            warehouse.execute(f"insert into {table} select {values} from {every}")
        sql = f"explain (analyze, format json) from {view} where {asked}"
        plan = warehouse.execute(sql)[0][1]
    # DuckDB 1.5 and 2.0 nest the steps of a plan differently.
    made = re.findall(
        r'"(?:operator_cardinality|intermediate_rows)": *"?([0-9]+)', plan
    )
    # A scan may give the rows of all runs, a join those of the pair alone.
    assert 0 < max(map(int, made)) <= runs * queries
