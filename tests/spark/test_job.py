"""ndcg-sql spark on a standalone cluster: all values are those of a warehouse."""

import json
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.requests.engines import SparkRequest
from ndcg_sql.spark.job import carry_out
from support.clusters import Cluster, write
from support.engines import NAMES, Rows, rows_of
from support.expected import check_equal, wanted, worlds
from support.subtopics import OF_JUDGMENTS
from support.worlds import FRACTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
EXAMPLES = [family.example for family in OF_JUDGMENTS.values()]
# The checks of each change take these.
SOME = ["nDCG@10", *EXAMPLES[::10]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Generator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield started
    finally:
        started.stop()


def options(master: str, measures: str, out: Path, **changed: str) -> list[str]:
    """Return the arguments of a job over the files of a folder, some changed."""
    given = {
        "master": master,
        "rankings": str(out.parent / "results.parquet"),
        "judgments": str(out.parent / "grades.parquet"),
        "run-column": "system",
        "measure": measures,
        "out": str(out),
        **changed,
    }
    found = ["spark"]
    for name, value in given.items():
        found += [f"--{name}", value]
    for name in NAMES:
        found += ["--column", name]
    return found


def start(cluster: Cluster, asked: list[str]) -> "subprocess.Popen[str]":
    """Start a job as a process of its own, which a user's session does not touch."""
    code = "from ndcg_sql.__main__ import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=cluster.environment,
    )


def finish(job: "subprocess.Popen[str]", out: Path) -> None:
    """Wait for a job, which must succeed and tell no more than that."""
    told, complaints = job.communicate(timeout=600)
    assert (job.returncode, told, complaints) == (0, "", f"wrote {out}\n")


def check_values(out: Path, measures: str) -> None:
    """Check what a job wrote against a warehouse."""
    names = {measure.name for measure in parse(measures)}
    per_query, per_run = wanted(FRACTIONS)
    rows = duckdb.sql(
        f"select run, query_id, measure, value from '{out}/query_values/*.parquet'"
    ).fetchall()
    wished = {key: row for key, row in per_query.items() if key[2] in names}
    assert len(rows) == len(wished)
    check_equal({row[:3]: row[3:] for row in rows}, wished)
    rows = duckdb.sql(
        "select run, measure, value, n, answered, unanswered, no_relevant, judged_at_k"
        f" from '{out}/run_values/*.parquet'"
    ).fetchall()
    check_equal(
        {row[:2]: row[2:] for row in rows},
        {key: row for key, row in per_run.items() if key[1] in names},
    )


def check_loads(out: Path, rankings: Rows, judgments: Rows, measures: int) -> None:
    """Check that a warehouse takes what a job wrote, and finds the same values."""
    frame = pd.DataFrame(judgments, columns=["query_id", "doc_id", "grade"])
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(frame, "j")
        told = str(warehouse.load_values(out))
        [described] = warehouse.describe("b")
    queries = len({row[0] for row in judgments})
    assert f"all {queries * 2 * measures} values agree" in told
    assert described["documents"] == sum(row[3] == "b" for row in rankings)


@pytest.mark.slow
def test_every_family_has_the_values_of_a_warehouse(
    cluster: Cluster, tmp_path: Path
) -> None:
    rankings, judgments = rows_of(worlds(FRACTIONS))
    write(tmp_path, rankings, judgments, ())
    out, measures = tmp_path / "values", " ".join(EXAMPLES)
    finish(start(cluster, options(cluster.url, measures, out)), out)
    check_values(out, measures)
    check_loads(out, rankings, judgments, len(EXAMPLES))


# It runs last, because a worker is missing after it.
def test_killed_worker_changes_no_value(cluster: Cluster, tmp_path: Path) -> None:
    rankings, judgments = rows_of(worlds(FRACTIONS))
    write(tmp_path, rankings, judgments, ())
    out, measures = tmp_path / "values", " ".join(SOME)
    job = start(cluster, options(cluster.url, measures, out))
    while not [*tmp_path.glob("values.*/query_values/*.parquet")]:
        assert job.poll() is None, job.communicate()
        time.sleep(0.05)
    cluster.kill_worker()
    assert job.poll() is None
    finish(job, out)
    check_values(out, measures)
    check_loads(out, rankings, judgments, len(SOME))
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["dialect"] == "spark"
    assert manifest["measures"] == [measure.name for measure in parse(measures)]


@pytest.mark.parametrize(
    ("rankings", "changed", "message"),
    [
        ([("q", "a", 1.0, "r")] * 2, {}, "is there twice for a run and query; keep"),
        ([("q", "a", 1.0, "r")], {"rankings": "none"}, 'rankings="none": no such file'),
        ([("q", "a", 1.0, "r")], {"out": "."}, 'out=".": exists already'),
        ([("q", "a", 1.0, "r")], {"run_column": "model"}, 'no column "model", but'),
        ([("q", "a", 1.0, "r")], {"format_in": "csv"}, "no column"),
        (
            [("q", "a", 1.0, "r")],
            {"judgments": "bad.csv"},
            "not a number: (q, a, high)",
        ),
        ([("q", "a", 1.0, "r")], {"out": "bad.csv/values"}, "bad.csv"),
    ],
)
def test_nothing_stays_after_a_failure(
    spark: "SparkSession",
    here: Path,
    rankings: "Rows",
    changed: dict[str, Any],
    message: str,
) -> None:
    write(here, rankings, [("q", "a", 1.0)], ())
    (here / "bad.csv").write_text("user_id,item,grade\nq,a,high\n")
    before = {*here.iterdir()}
    place = f"file:{here}"
    files = {"rankings": "results.parquet", "judgments": "grades.parquet"}
    given: dict[str, Any] = {**files, "out": "values", "run_column": "system"}
    given |= changed
    for name in (*files, "out"):
        given[name] = f"{place}/{given[name]}"
    job = SparkRequest(
        measures=("nDCG@10",), columns=tuple(NAMES), master="local", **given
    )
    with pytest.raises(NdcgSqlError) as raised:
        carry_out(job, spark)
    assert message in str(raised.value).replace(f"{place}/", "")
    assert len(str(raised.value).splitlines()) == 1
    assert {*here.iterdir()} == before


def test_csv_is_read_like_parquet(spark: "SparkSession", here: Path) -> None:
    (here / "results.csv").write_text('query_id,doc_id,score\nq,"a,""b""",1\nq,c,2\n')
    (here / "grades.csv").write_text('query_id,doc_id,grade\nq,"a,""b""",3\n')
    place = f"file:{here}"
    files = (f"{place}/results.csv", f"{place}/grades.csv")
    job = SparkRequest(
        measures=("RR",),
        rankings=files[0],
        judgments=files[1],
        out=f"{place}/values/",
        master="local",
    )
    carry_out(job, spark)
    rows = duckdb.sql("select run, value from 'values/run_values/*.parquet'").fetchall()
    assert rows == [("run", 0.5)]
