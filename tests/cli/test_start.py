"""Short commands are quick: nothing heavy is imported that they do not need."""

import subprocess
import sys
import time
from pathlib import Path

import pytest


def _fastest(*command: str) -> float:
    """Return the shortest of several wall times of a command, in seconds."""
    times: list[float] = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.slow
def test_help_takes_at_most_four_times_an_import_of_duckdb() -> None:
    assert _fastest("-m", "ndcg_sql", "--help") <= 4 * _fastest("-c", "import duckdb")


def test_help_imports_neither_duckdb_nor_what_only_some_commands_need() -> None:
    code = (
        "import sys; from ndcg_sql.cli.main import run; run(['--help']);"
        "print([m for m in ('duckdb', 'sqlalchemy', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_what_needs_no_statistics_imports_no_numpy(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 apple 1\n")
    (tmp_path / "run").write_text("q1 Q0 apple 1 1.0 run\n")
    commands = [
        ["eval", "qrels", "run"],
        ["load", "judgments", "qrels"],
        ["load", "run", "run"],
        ["report"],
        ["list"],
    ]
    # As the command line does, since DuckDB imports an installed pandas.
    code = (
        "import sys\n"
        "sys.modules['pandas'] = None\n"
        "from ndcg_sql.cli.main import run\n"
        f"print([run(command) for command in {commands}], 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines()[-1] == "[0, 0, 0, 0, 0] False"
