"""The benchmarks run, agree, and write their tables; nothing is timed here."""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def _run(
    tmp_path: Path, script: str, *options: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a benchmark whose temporary files go below tmp_path/scratch."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, BENCHMARKS / script, *options]
    return subprocess.run(
        [str(part) for part in command],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
        capture_output=True,
        text=True,
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
    assert "| eval | ndcg-sql eval | 0.3 x trec_eval |" in done.stdout
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.slow
def test_speed_benchmark_fails_where_a_tool_disagrees(tmp_path: Path) -> None:
    lines = "ndcg_cut_10 all 0.5\\nmap all 0.5\\nrecip_rank all 0.5\\n"
    program = _program(tmp_path / "liar", f"printf '{lines}'")
    small = ("--queries", "20", "--documents", "20", "--job", "eval")
    done = _run(tmp_path, "speed.py", *small, "--trec-eval", program)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "eval, trec_eval: nDCG@10 is 0.5, by ours 0." in done.stderr


@pytest.mark.slow
def test_growth_benchmark_fills_and_reads_warehouses(tmp_path: Path) -> None:
    found = tmp_path / "growth.csv"
    small = ("--users", "50", "100", "--runs", "2", "--ids", "long")
    done = _run(tmp_path, "growth.py", *small, "--csv", found)
    assert done.returncode == 0, done.stderr
    steps = [row["step"] for row in _rows(found) if row["users"] == "100"]
    assert steps == [
        "load judgments",
        "load run",
        "load run",
        "report",
        "compare",
        "holes",
        "pool",
        "SQL: means",
        "SQL: differences",
    ]
    assert "| load, time a row, more users / fewer | 1.3 |" in done.stdout
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.slow
def test_every_relation_answers_each_habit_in_the_benchmark(tmp_path: Path) -> None:
    found = tmp_path / "relations.csv"
    small = ("--users", "50", "--runs", "2", "--csv", found)
    done = _run(tmp_path, "relations.py", *small)
    assert done.returncode == 0, done.stderr
    rows = _rows(found)
    assert {row["outcome"] for row in rows} == {"answered"}
    filled = {row["relation"] for row in rows if row["rows"] != "0"}
    assert {"ndcg", "slice_values", "run_comparisons"} < filled
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.slow
def test_every_question_is_measured_for_every_environment(tmp_path: Path) -> None:
    here = Path(sys.executable).parent
    small = ("--users", "50", "--runs", "2", "--rounds", "1")
    done = _run(tmp_path, "questions.py", *small, here)
    assert done.returncode == 0, done.stderr
    for question in ("report, weighted", "compare --by", "gate --by", "holes"):
        assert f"| {question}" in done.stdout
    assert not list((tmp_path / "scratch").iterdir())


@pytest.mark.slow
def test_publishing_and_pages_are_measured(tmp_path: Path) -> None:
    here = Path(sys.executable).parent
    done = _run(tmp_path, "publishing.py", "--world", "small", here)
    assert done.returncode == 0, done.stderr
    for what in ("report --html page.html", "publish folder/", "one more run, folder/"):
        assert f"small: {what} |" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("postgresql")
def test_databases_are_read_and_published_to_in_the_benchmark() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The server has a user of its own.
        folder.chmod(0o755)
        found = folder / "databases.csv"
        done = _run(folder, "databases.py", "--rows", "2000", "--csv", found)
        assert done.returncode == 0, done.stderr
        steps = [row["step"] for row in _rows(found)]
        assert steps[:2] == ["load run: TSV file", "load run: Parquet file"]
        assert "load run: PostgreSQL, COPY by psycopg" in steps
        assert steps[-2:] == ["publish", "publish, nothing new"]
        assert "query_values: 400 values compared with report" in done.stderr
        assert not list((folder / "scratch").iterdir())


@pytest.mark.slow
def test_measures_of_subtopics_agree_with_those_of_ndeval(tmp_path: Path) -> None:
    small = ("--queries", "20", "--documents", "50", "--judged", "30", "--rounds", "1")
    done = _run(tmp_path, "diversity.py", *small)
    assert done.returncode == 0, done.stderr
    for tool in ("ndcg-sql eval", "ndcg-sql load run", "pyndeval"):
        assert f"| {tool} |" in done.stdout


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
def test_what_is_shown_is_measured_by_each_tool(tmp_path: Path) -> None:
    small = ("--users", "60", "--items", "200")
    done = _run(tmp_path, "showing.py", *small)
    assert done.returncode == 0, done.stderr
    for step in ("load run, values kept", "Popularity@10", "Gini@10", "all of these"):
        assert f"| ndcg-sql | {step} |" in done.stdout
    assert "| pandas | all of these |" in done.stdout


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
def test_budget_benchmark_compares_ways_to_choose(tmp_path: Path) -> None:
    documents = [f"d{i}" for i in range(30)]
    judged = [
        f"q{q} 0 {d} {i % 3}\n" for q in range(4) for i, d in enumerate(documents)
    ]
    ranked = [
        f"q{q} Q0 {d} {i} {-i} t\n" for q in range(4) for i, d in enumerate(documents)
    ]
    (tmp_path / "qrels").write_text("".join(judged))
    (tmp_path / "run").write_text("".join(ranked))
    small = ("--trials", "2", "--step", "30", "--steps", "2", "--csv", "rows.csv")
    done = _run(tmp_path, "budgets.py", "qrels", "run", *small)
    assert done.returncode == 0, done.stderr
    errors: dict[str, list[float]] = {}
    for row in _rows(tmp_path / "rows.csv"):
        errors.setdefault(row["way"], []).append(float(row["mean error"]))
    assert set(errors) == {"budget", "depth", "chance"}
    first = {means[0] for means in errors.values()}
    assert len(first) == 1
    # Sixty judgments of the eighty documents within the cutoff say nearly all.
    assert errors["budget"][-1] < min(0.05, *first)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "small", "rows"),
    [
        (
            "faults.py",
            "--calls 1 --command load~values --fault EIO",
            {"EIO: load values"},
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
    few = [word.replace("~", " ") for word in small.split()]
    done = _run(tmp_path, script, *few, "--csv", found)
    assert done.returncode == 0, done.stderr
    by_fault = {row["fault"]: row for row in _rows(found)}
    assert rows <= by_fault.keys() or "left out" in done.stderr
    for kind in ("lost", "partial", "wrong", "failed", "files"):
        assert {row[kind] for row in by_fault.values()} == {"0"}
    assert sum(int(row["tries"]) for row in by_fault.values()) > 10
    assert not list((tmp_path / "scratch").iterdir())
