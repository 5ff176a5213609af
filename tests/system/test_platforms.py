"""The package works without what Windows lacks, as far as Linux can show."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import connections, opening
from ndcg_sql.database.connections import translated
from ndcg_sql.errors import LockedError, NdcgSqlError
from support.files import QRELS, RUN

# Python starts a process of its own by some of these modules, so only imports by the
# package fail. Both processes of a query run without them.
WITHOUT = """
import builtins, os, signal, sys
usual = builtins.__import__
def limited(name, globals=None, *rest, **named):
    ours = str((globals or {}).get("__name__")).startswith("ndcg_sql")
    if ours and name in ("fcntl", "grp", "posix", "pwd", "resource", "termios"):
        raise ImportError(name)
    return usual(name, globals, *rest, **named)
builtins.__import__ = limited
for name in ("SIGALRM", "SIGHUP", "setitimer", "ITIMER_REAL"):
    delattr(signal, name)
for name in ("sched_getaffinity", "set_blocking", "O_NOFOLLOW", "O_DIRECTORY", "pread"):
    delattr(os, name)
"""
# Windows has no folder of open files, either.
CLOSED = (
    "from ndcg_sql.database import connections as c; c._DESCRIPTORS = c.Path('absent')"
)
MAIN = "from ndcg_sql.cli.main import run; sys.exit(run(sys.argv[1:]))"
CHILD = (
    "from ndcg_sql.sandbox import parent; parent._CHILD = {without!r} + parent._CHILD"
)


def ran(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a Python without them."""
    code = WITHOUT + "\n".join(["", CHILD.format(without=WITHOUT), CLOSED, MAIN])
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.slow
def test_commands_work_where_windows_lacks_something(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "base").write_text(RUN)
    for command in (
        ("load", "judgments", "qrels"),
        ("load", "run", "base"),
        ("report", "--format", "csv", "--output", "report.csv"),
        ("publish", "published.duckdb"),
        ("backup", "backup.duckdb"),
        ("rename", "dataset", "default", "other"),
        ("remove", "run", "base"),
        ("load", "run", "base", "--dataset", "other"),
        ("check",),
    ):
        done = ran(tmp_path, *command)
        assert done.returncode == 0, done.stderr
    asked = ran(tmp_path, "query", "select count(*) as runs from runs", "--format=csv")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, "runs\n1\n", "")
    left = {path.name for path in tmp_path.iterdir()}
    files = {"qrels", "base", "report.csv", "ndcg.duckdb", "published.duckdb"}
    assert left == files | {"backup.duckdb"}


@pytest.mark.slow
def test_a_query_ends_in_time_without_an_alarm(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    assert ran(tmp_path, "load", "judgments", "qrels").returncode == 0
    sql = "select count(*) as n from range(100000000000) a, range(1000000) b"
    done = ran(tmp_path, "query", sql, "--time-limit", "0.5")
    assert done.returncode == 2
    assert done.stderr.startswith("query: stopped after 0.5 s; select less")


def test_a_copy_needs_no_folder_of_open_files(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_DESCRIPTORS", Path("absent"))
    monkeypatch.setattr(connections, "HAS_DESCRIPTORS", False)
    with opening.read(loaded, copy=True) as copy:
        assert copy.execute("select count(*) from runs") == [(1,)]


def test_without_that_folder_no_copy_unlocks_a_file_elsewhere(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_DESCRIPTORS", Path("absent"))
    with (
        pytest.raises(NdcgSqlError, match="removed or replaced meanwhile"),
        opening.read(loaded, copy=True),
    ):
        pass


def test_windows_says_otherwise_that_a_file_is_in_use() -> None:
    text = (
        'IO Error: Cannot open file "ndcg.duckdb": The process cannot access the file'
        " because it is being used by another process.\r\n\n\nFile is already open in"
        " \nC:\\Python\\python.exe (PID 3528)"
    )
    fault = translated(duckdb.IOException(text), "ndcg.duckdb")
    assert isinstance(fault, LockedError)
    assert "in use by C:\\Python\\python.exe (PID 3528)" in str(fault)
