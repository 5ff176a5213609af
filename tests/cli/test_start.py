"""Asking for help is instant: nothing heavy is imported for it."""

import subprocess
import sys
import time

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
