"""Values that another program computed: how they are read, and what becomes of them."""

import json
import random
import statistics
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, records
from support.files import shown
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)

STORED = (
    "select dataset, run, query_id, measure, value from query_values"
    " where measure in ('faithfulness', 'latency', 'nDCG@10') order by all"
)
ROWS = [("r", "q1", "faithfulness", 0.5), ("r", "q2", "faithfulness", 0.75)]
LATENCY = [("r", "q1", "latency", 120.0), ("r", "q2", "latency", 80.5)]
OURS = [("r", "q1", "nDCG@10", 0.5), ("r", "q2", "nDCG@10", 0.75)]
# Files, their further options, and the rows that they give.
FORMS: dict[str, tuple[str, str, list[tuple[str, str, str, float]]]] = {
    "wide.csv": (
        "id,query_id,faithfulness,latency,answer\n"
        "7,q1,0.5,120,it is 42\n8,q2,0.75,80.5,42\n9,q3,,,no\n",
        "",
        ROWS + LATENCY,
    ),
    "german.csv": ("qid;faithfulness\nq1;0,5\nq2;0,75\n", "--decimal ,", ROWS),
    "long.csv": (
        "query_id,metric,value\nq1,faithfulness,0.5\nq2,faithfulness,0.75\n"
        "all,faithfulness,0.625\n",
        "",
        ROWS,
    ),
    "runs.csv": (
        "system,query_id,measure,value\nr,q1,faithfulness,0.5\nr,q2,faithfulness,0.75\n",
        "",
        ROWS,
    ),
    "column.csv": (
        "engine,query_id,faithfulness\nr,q1,0.5\nr,q2,0.75\n",
        "--run-column engine",
        ROWS,
    ),
    "renamed.csv": (
        "query_id,Accuracy\nq1,0.5\nq2,0.75\n",
        "--column faithfulness=Accuracy",
        ROWS,
    ),
    "chosen.csv": (
        "query_id,faithfulness,cost\nq1,0.5,3\nq2,0.75,4\n",
        "-m faithfulness",
        ROWS,
    ),
    "rows.jsonl": (
        '{"query_id": "q1", "faithfulness": 0.5}\n'
        '{"query_id": "q2", "faithfulness": 0.75}\n',
        "",
        ROWS,
    ),
    "rows.json": (
        json.dumps([{"qid": "q1", "latency": 120}, {"qid": "q2", "latency": 80.5}]),
        "",
        LATENCY,
    ),
    "printed": ("ndcg_cut_10 q1 0.5\nndcg_cut_10 q2 0.75\nnum_q all 2\n", "", OURS),
    "comments": (
        "# of a run\nndcg_cut_10 q1 0.5\n#\n# ndcg_cut_10\nndcg_cut_10 q2 0.75\n",
        "",
        OURS,
    ),
    "tabs": ("ndcg_cut_10\tq1\t0.5\nndcg_cut_10\tq2\t0.75\n", "", OURS),
    "by_ir_measures": ("q1 nDCG@10 0.5\nq2 nDCG@10 0.75\n", "", OURS),
    "judges": ("r q1 faithfulness 0.5\nr q2 faithfulness 0.75\n", "", ROWS),
}


def test_every_form_is_read(ndcg: Command) -> None:
    for name, (text, options, _) in FORMS.items():
        Path(name).write_text(text)
        place = ("--name", "r", "--dataset", name)
        result = ndcg("load", "values", name, *place, *options.split())
        assert result.code == 0, result.err
    found: dict[str, list[tuple[object, ...]]] = {}
    for dataset, *row in shown(STORED):
        found.setdefault(dataset, []).append(tuple(row))
    assert found == {name: sorted(rows) for name, (_, _, rows) in FORMS.items()}
    assert ndcg("check").code == 0


def test_frames_and_parquet_are_read(tmp_path: Path) -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame({"query_id": ["q1", "q2"], "faithfulness": [0.5, 0.75]})
    path = tmp_path / "r.parquet"
    frame.to_parquet(path)
    for data in (frame, path):
        with Warehouse.memory() as warehouse:
            loaded = warehouse.load_values(data, "r", origin="ragas")
            assert [(i.name, i.rows, i.queries) for i in loaded.items] == [("r", 2, 2)]
            rows = warehouse.query(STORED).relation.fetchall()
            assert [row[1:] for row in rows] == ROWS
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
