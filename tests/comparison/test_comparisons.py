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
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.messages import Silent
from support.files import write_judgments, write_run

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
        qrels = write_judgments(folder / "qrels", grades)
        load(warehouse, "judgments", [qrels], Options(), Silent())
        for name in ("a", "b", "c"):
            answered = random.sample(queries, 50)
            ranked = {q: {d: random.random() for d in documents} for q in answered}
            load(
                warehouse,
                "run",
                [write_run(folder / name, ranked)],
                Options(),
                Silent(),
            )
        Warehouse(":memory:").holding(warehouse).load_queries(folder / "queries.csv")
        yield warehouse


@pytest.mark.slow
def test_a_comparison_pairs_the_values_of_two_runs(warehouse: Database) -> None:
    values = {
        (run, query, measure): value
        for run, query, measure, value in warehouse.execute(
            "select run, query_id, measure, value from query_values"
        )
    }
    found = warehouse.records("from comparisons")
    assert len(found) == 6 * 60 * 4
    for row in found:
        key = (row["query_id"], row["measure"])
        baseline, candidate = (
            values[(row[k], *key)] for k in ("baseline", "candidate")
        )
        assert (row["baseline_value"], row["candidate_value"]) == (baseline, candidate)
        if baseline is None or candidate is None:
            assert row["difference"] is None
        else:
            assert row["difference"] == candidate - baseline


def summary(rows: list[dict[str, Any]], measure: str, side: str) -> float | None:
    """Return the value of a measure over the queries that both runs have."""
    values: list[float] = [row[side] for row in rows if row["difference"] is not None]
    if measure == "NumRet":
        return sum(values)
    if measure == "gm_map":
        logs = [math.log(max(value, 1e-5)) for value in values]
        return math.exp(sum(logs) / len(values))
    return sum(values) / len(values)


@pytest.mark.slow
def test_sums_of_comparisons_are_those_of_their_queries(warehouse: Database) -> None:
    weights = dict(warehouse.execute("select query_id, weight from queries"))
    found = warehouse.records("from run_comparisons")
    assert len(found) == 6 * 4
    for row in found:
        rows = warehouse.records(
            "from comparisons where baseline = $a and candidate = $b and measure = $m",
            {"a": row["baseline"], "b": row["candidate"], "m": row["measure"]},
        )
        differences = {
            r["query_id"]: r["difference"] for r in rows if r["difference"] is not None
        }
        assert row["n"] == len(differences)
        for side in ("baseline_value", "candidate_value"):
            assert row[side] == pytest.approx(summary(rows, row["measure"], side))
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
            f" false from range(1, {runs + 1}) as runs (run_id),"
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
