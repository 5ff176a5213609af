"""Commands that are killed after their commit, before the log is folded in."""

import signal
import subprocess
import sys
from pathlib import Path

KILLED_BEFORE_CHECKPOINT = """
import os, signal, sys
from ndcg_sql.cli.main import run
from ndcg_sql.database.database import Database
Database.close = lambda database: os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""


def killed_before_checkpoint(folder: Path, *arguments: str) -> None:
    """Run a command that is killed after its commit, and leaves its log."""
    code = KILLED_BEFORE_CHECKPOINT
    command = [sys.executable, "-c", code, *arguments]
    killed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (folder / "ndcg.duckdb.wal").stat().st_size > 0
