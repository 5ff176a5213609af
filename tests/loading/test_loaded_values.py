"""Values that another program computed: how they are read, and what becomes of them."""

import random
import statistics
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, records
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)


def test_frames_and_parquet_are_read(tmp_path: Path) -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame({"query_id": ["q1", "q2"], "faithfulness": [0.5, 0.75]})
    path = tmp_path / "r.parquet"
    frame.to_parquet(path)
    for data in (frame, path):
        with Warehouse.memory() as warehouse:
            loaded = warehouse.load_values(data, "r", origin="ragas")
            assert [(i.name, i.rows, i.queries) for i in loaded.items] == [("r", 2, 2)]
            values = warehouse.query("select query_id, value from query_values")
            assert values.relation.order("all").fetchall() == [
                ("q1", 0.5),
                ("q2", 0.75),
            ]
            origins = warehouse.query("select origin from measures where measure = 'f'")
            assert not origins.relation.fetchall()


def _values(random_: random.Random, queries: int) -> dict[str, float]:
    chosen = [q for q in range(queries) if random_.random() < 0.8]
    return {f"q{q:02}": random_.randrange(100) / 8 for q in chosen}


@pytest.mark.parametrize("seed", exploring.sampled(range(3), 3))
def test_means_and_differences_are_those_of_python(ndcg: Command, seed: int) -> None:
    world = random.Random(seed)
    runs = {name: _values(world, 30) for name in ("a", "b")}
    Path("v.csv").write_text(
        "run,query_id,measure,value\n"
        + "".join(
            f"{run},{query},latency,{value}\n"
            for run, values in runs.items()
            for query, value in values.items()
        )
    )
    loading = ("load", "values", "v.csv", "--lower-is-better", "latency")
    assert ndcg(*loading).code == 0
    rows = {row["run"]: row for row in records(ndcg, "report")}
    for run, values in runs.items():
        assert rows[run]["value"] == pytest.approx(statistics.fmean(values.values()))
        assert rows[run]["n"] == len(values)
    shared = sorted(runs["a"].keys() & runs["b"].keys())
    [row] = records(ndcg, "compare", "a", "b")
    differences = [runs["b"][q] - runs["a"][q] for q in shared]
    assert row["n"] == len(shared)
    assert row["difference"] == pytest.approx(statistics.fmean(differences))
    # Lower is better: what falls has won.
    wins = sum(one < 0 for one in differences)
    assert (row["wins"], row["losses"]) == (wins, sum(one > 0 for one in differences))
    better = min(rows, key=lambda run: rows[run]["value"])
    assert records(ndcg, "leaderboard")[0]["run"] == better
    worse = {"a": "b", "b": "a"}[better]
    rule = ("gate", better, worse, "--max-drop", "0.001", "--strict")
    assert ndcg(*rule).code == 1
    assert ndcg("gate", worse, better, "--max-drop", "0.001", "--strict").code == 0
    refusal = ndcg("gate", "a", "b", "--min", "latency=1").refusal
    assert "lower is better, so it has no minimum" in refusal
