"""The benchmarks run, agree, and write their tables; nothing is timed here."""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes import ran

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# The commands that benchmarks/faults.py interrupts.
FAULTY = re.findall(
    r'(?m)^    "(.+?)": Command\(', (BENCHMARKS / "faults.py").read_text()
)


def _run(
    tmp_path: Path, script: str, *options: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a benchmark whose temporary files go below tmp_path/scratch."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, BENCHMARKS / script, *options]
    return ran(
        [str(part) for part in command],
        tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
    )


def _rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file."""
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _program(path: Path, script: str) -> Path:
    """Write a program."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.mark.slow
def test_every_job_of_the_speed_benchmark_runs_and_agrees(tmp_path: Path) -> None:
    drop_in = f'exec "{sys.executable}" -m ndcg_sql trec_eval "$@"'
    program = _program(tmp_path / "as_trec_eval", drop_in)
    small = ("--queries", "60", "--documents", "40", "--rounds", "1")
    found = tmp_path / "speed.csv"
    done = _run(tmp_path, "speed.py", *small, "--trec-eval", program, "--csv", found)
    assert done.returncode == 0, done.stderr
    measured = {(row["job"], row["tool"]) for row in _rows(found)}
    for job in ("eval", "dense", "csv", "warehouse", "all_trec", "gzip", "small"):
        assert (job, "trec_eval") in measured
    assert {("eval", "ndcg-sql eval"), ("warehouse", "ndcg-sql load run")} < measured
    assert {("many", "ndcg-sql eval"), ("many", "ndcg-sql load run")} < measured
    assert {("eval", "pytrec_eval"), ("eval", "ir_measures")} < measured
    assert "| eval | ndcg-sql eval | 0.22 x trec_eval |" in done.stdout
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.slow
def test_speed_benchmark_fails_where_a_tool_disagrees(tmp_path: Path) -> None:
    lines = "ndcg_cut_10 all 0.5\\nmap all 0.5\\nrecip_rank all 0.5\\n"
    program = _program(tmp_path / "liar", f"printf '{lines}'")
    small = ("--queries", "20", "--documents", "20", "--job", "eval")
    done = _run(tmp_path, "speed.py", *small, "--trec-eval", program)
    assert done.returncode == 1
    assert done.stdout == ""
    # Any measure may be compared first.
    assert re.search(r"trec_eval: (nDCG@10|AP|RR) is 0\.5, by ours 0", done.stderr)


@pytest.mark.slow
def test_runs_are_fused_by_each_tool(tmp_path: Path) -> None:
    small = ("--queries", "20", "--documents", "50", "--tune", "nDCG@10")
    methods = ("--method", "sum:min-max", "--method", "rrf")
    done = _run(tmp_path, "fusing.py", *small, *methods)
    assert done.returncode == 0, done.stderr
    for method in ("sum:min-max", "rrf", "rrf, tuned"):
        assert f"| ndcg-sql | {method} |" in done.stdout
    assert "| ranx | read |" in done.stdout


@pytest.mark.slow
def test_logs_of_every_form_make_judgments(tmp_path: Path) -> None:
    done = _run(tmp_path, "clicks.py", "--events", "20000")
    assert done.returncode == 0, done.stderr
    for form in ("csv", "parquet", "quoted", "ubi"):
        assert f"| {form} |" in done.stdout


@pytest.mark.slow
def test_tests_of_significance_keep_their_bounds(tmp_path: Path) -> None:
    found = tmp_path / "rates.csv"
    small = ("--experiments", "50", "--resamples", "200", "--queries", "25")
    done = _run(tmp_path, "significance.py", *small, "--csv", found)
    assert done.returncode == 0, done.stderr
    rows = _rows(found)
    tests = {row["test"] for row in rows}
    assert {"t", "randomization", "bootstrap", "wilcoxon", "holm", "tukey"} < tests
    for row in rows:
        if row["shape"] == "normal" and row["test"] != "bootstrap":
            # Four standard errors away from 0.05 and from 0.8.
            low, high = (0.57, 1) if row["differ"] == "True" else (0, 0.18)
            assert low < float(row["rate"]) + 1e-9 < high


@pytest.mark.spark
@pytest.mark.slow
def test_scale_benchmark_agrees_with_the_metrics_of_spark(tmp_path: Path) -> None:
    found = tmp_path / "scale.csv"
    options = ["--users", "60", "--memory", "2g", "--csv", str(found)]
    done = _run(tmp_path, "scale.py", *options)
    assert done.returncode == 0, done.stderr
    tools = {row["tool"] for row in _rows(found)}
    assert {"ndcg-sql on Spark, binary", "RankingEvaluator"} < tools
    assert len(tools) == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "small", "rows"),
    [
        (
            "faults.py",
            "--calls 0 --fault kill",
            {f"kill: {name}" for name in FAULTY},
        ),
        (
            "faults.py",
            "--calls 0 --fault EIO --command load_run --command publish_DIR",
            {"EIO: load run", "EIO: publish DIR"},
        ),
        (
            "crowds.py",
            "--minutes 0.1 --files 2",
            {"8 writers, 0.1 min", "4 readers, 0.1 min", "changing: pipe"},
        ),
        (
            "mutations.py",
            "--times 12",
            {"mutated: trec", "mutated: excel", "mutated: packed"},
        ),
    ],
)
def test_nothing_is_lost_by_the_faults_of_the_benchmark(
    tmp_path: Path, script: str, small: str, rows: set[str]
) -> None:
    found = tmp_path / "faults.csv"
    few = [word.replace("_", " ") for word in small.split()]
    done = _run(tmp_path, script, *few, "--csv", found)
    assert done.returncode == 0, done.stderr
    by_fault = {row["fault"]: row for row in _rows(found)}
    assert rows <= by_fault.keys() or "left out" in done.stderr
    for kind in ("lost", "partial", "wrong", "failed", "files"):
        assert {row[kind] for row in by_fault.values()} == {"0"}
    assert sum(int(row["tries"]) for row in by_fault.values()) >= 5
    assert not list((tmp_path / "scratch").iterdir())
