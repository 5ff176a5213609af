"""A file that one version of DuckDB wrote serves the other as well."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.files import QRELS, RUN
from support.kills import KILLED_BEFORE_CHECKPOINT
from support.processes import ran

OTHER = "NDCG_SQL_OTHER_PYTHON"
MAIN = "import sys; from ndcg_sql.cli.main import run; sys.exit(run(sys.argv[1:]))"


@pytest.fixture
def pythons() -> list[str]:
    """Return this Python and the other one, or skip where none is named."""
    other = os.environ.get(OTHER)
    if not other:
        pytest.skip(f"{OTHER} names no Python with the other version of DuckDB")
    code = "import duckdb; print(duckdb.__version__.split('.')[0])"
    found = [
        subprocess.run([python, "-c", code], check=True, capture_output=True).stdout
        for python in (sys.executable, other)
    ]
    assert found[0] != found[1], "both have the same version of DuckDB"
    return [sys.executable, other]


def said(python: str, folder: Path, *arguments: str, code: str = MAIN) -> str:
    """Run a command under a Python; return its output, or fail with its errors."""
    root = str(Path(__file__).parents[2])
    done = ran(
        [python, "-c", code, *arguments], folder, env={**os.environ, "PYTHONPATH": root}
    )
    assert done.returncode == (0 if code == MAIN else -9), done.stderr
    return done.stdout


@pytest.mark.parametrize("is_killed", [False, True], ids=["whole", "with a log"])
@pytest.mark.parametrize("writer", [0, 1], ids=["written here", "written there"])
def test_a_file_is_used_by_the_other_version(
    tmp_path: Path, pythons: list[str], writer: int, is_killed: bool
) -> None:
    one, other = pythons[writer], pythons[1 - writer]
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "base").write_text(RUN)
    (tmp_path / "late").write_text("q1 Q0 c 1 9 t\nq1 Q0 a 2 9 t\nq2 Q0 a 3 -inf t\n")
    said(one, tmp_path, "load", "judgments", "qrels")
    code = KILLED_BEFORE_CHECKPOINT if is_killed else MAIN
    said(one, tmp_path, "load", "run", "base", code=code)
    assert (tmp_path / "ndcg.duckdb.wal").exists() == is_killed
    for command in (
        ("report",),
        ("report", "-q", "-m", "nDCG@3 AP", "--format", "csv"),
        ("explain", "base", "q1"),
        ("list",),
    ):
        assert said(other, tmp_path, *command) == said(one, tmp_path, *command)
    said(other, tmp_path, "load", "run", "late")
    said(other, tmp_path, "check")
    assert not (tmp_path / "ndcg.duckdb.wal").exists()
    assert said(one, tmp_path, "report") == said(other, tmp_path, "report")
    said(one, tmp_path, "load", "run", "base", "--name", "last", "--replace")
    said(one, tmp_path, "check")
    said(other, tmp_path, "remove", "run", "base")
    said(other, tmp_path, "check")
    assert said(one, tmp_path, "report") == said(other, tmp_path, "report")
