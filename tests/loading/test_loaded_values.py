"""Values that another program computed: how they are read, and what becomes of them."""

import json
import random
import statistics
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, records, run_all
from support.files import shown
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)

STORED = (
    "select run, query_id, measure, value from query_values"
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
# Rows of a file of values, options, and parts of the refusal.
REFUSED = [
    ("query_id,a\nq1,x\n", "", "no column has numbers in most rows; it has"),
    ("query_id,a\nq1,x\n", "-m a", ':2: query "q1", "a": "x" is not a finite number'),
    ("query_id,a\nq1,1\nq2,nan\nq3,2\n", "", ':3: query "q2", "a": "nan" is not a'),
    ("query_id,a\nq1,1\nq2,1e999\nq3,2\n", "", '"1e999" is not a finite number'),
    ("query_id;a\nq1;1,5\nq2;1.5\nq3;1.500\n", "--decimal ,", '"1.5" is not a finite'),
    ("query_id,a\nq1,1\nq1,1\n", "", ':3: run "v", query "q1": a value of "a" is alre'),
    ("query_id,a\nq1,1\n,1\n", "", ":3: the query id is empty"),
    ("query_id,measure,value\nq1,,1\n", "", ':2: query "q1": the measure is empty'),
    ("query_id,measure\nq1,a\n", "", "no column has the values; name it: --column val"),
    ("query_id,my measure\nq1,1\n", "", "a name has no blanks, commas, quotes"),
    ("query_id,a\nq1,1\n", "-m b", 'v.csv: no column "b"; it has "a"'),
    ("query_id,a\nq1,1\n", "--lower-is-better b", "no measure of this name; it has"),
    ("query_id,a\nq1,1\n", "--judgments k", 'no judgment set "k"'),
    ("x,a\nq1,1\n", "", 'no column for "query_id"'),
    ("query_id,P@5\nq1,1\n", "--name known", "and computes P@5 of them itself; load"),
    ("query_id,a\nq1,1\n", "--name known --tag a=b", "is there already; omit it"),
    ("query_id,a\nq1,1\nq2\n", "", ":3: 1 field, expected 2 as in the header"),
]


def fill(ndcg: Command) -> None:
    """Load judgments and a run of two queries."""
    Path("j").write_text("q1 0 a 1\nq2 0 b 2\n")
    Path("known").write_text("q1 Q0 a 1 2 t\nq2 Q0 c 1 2 t\n")
    run_all(ndcg, "ndcg-sql load judgments j\nndcg-sql load run known")


@pytest.mark.parametrize("name", FORMS)
def test_every_form_is_read(ndcg: Command, name: str) -> None:
    text, options, rows = FORMS[name]
    Path(name).write_text(text)
    result = ndcg("load", "values", name, "--name", "r", *options.split())
    assert result.code == 0, result.err
    assert shown(STORED) == sorted(rows)
    assert ndcg("check").code == 0


@pytest.mark.parametrize(("text", "options", "told"), REFUSED)
def test_what_is_wrong_is_refused(
    ndcg: Command, text: str, options: str, told: str
) -> None:
    fill(ndcg)
    Path("v.csv").write_text(text)
    before = shown("select * from query_values order by all")
    assert told in ndcg("load", "values", "v.csv", *options.split()).refusal
    assert shown("select * from query_values order by all") == before
    assert shown("select count(*) from measures where origin is not null") == [(0,)]


def test_frames_and_parquet_are_read(tmp_path: Path) -> None:
    pandas = library("pandas")
    frame = pandas.DataFrame({"query_id": ["q1", "q2"], "faithfulness": [0.5, 0.75]})
    path = tmp_path / "r.parquet"
    frame.to_parquet(path)
    for data in (frame, path):
        with Warehouse.memory() as warehouse:
            loaded = warehouse.load_values(data, "r", origin="ragas")
            assert [(i.name, i.rows, i.queries) for i in loaded.items] == [("r", 2, 2)]
            assert warehouse.query(STORED).relation.fetchall() == ROWS
            origins = warehouse.query("select origin from measures where measure = 'f'")
            assert not origins.relation.fetchall()


def _values(random_: random.Random, queries: int) -> dict[str, float]:
    chosen = [q for q in range(queries) if random_.random() < 0.8]
    return {f"q{q:02}": random_.randrange(100) / 8 for q in chosen}


@pytest.mark.parametrize("seed", range(3))
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
