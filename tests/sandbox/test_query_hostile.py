"""SQL that means harm: it writes, reads, reaches and reveals nothing, and ends.

Every statement is tried against a warehouse beside which lie a file with a
secret and a server that waits for a call. A query that is ended, or whose
reader leaves, leaves nothing behind.
"""

import hashlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import in_folder

SECRET = "canary-4711"
LONG = "select count(*) from range(10_000_000_000) a, range(10_000_000_000) b"
REFUSED, HARMLESS, ENDLESS = exploring.starred(__file__)


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """Listen for anybody who calls."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder and below, and the folders."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in folder.rglob("*")
    }


@pytest.mark.slow
@pytest.mark.parametrize("sql", exploring.tried(REFUSED | HARMLESS))
def test_hostile_sql_has_no_effect(
    ndcg: Command,
    loaded: Path,
    server: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    sql: str,
) -> None:
    folder = loaded.parent
    monkeypatch.setenv("CANARY", SECRET)
    (folder / "secret.csv").write_text(f"{SECRET}\n{SECRET}\n")
    (folder / "home").mkdir()
    (folder / "home" / ".netrc").write_text(SECRET)
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "statement.sql").write_text(
        sql.format(
            own=loaded,
            secret=folder / "secret.csv",
            new=folder / "new",
            folder=folder,
            name=folder.name,
            url=f"http://127.0.0.1:{server.getsockname()[1]}",
        ).replace("\\0", "\0")
    )
    before = contents(folder)
    with (folder / "statement.sql").open() as statement:
        monkeypatch.setattr("sys.stdin", statement)
        result = ndcg("query", "-", "--format", "csv")
    assert result.code == (2 if sql in REFUSED else 0), result
    assert SECRET not in result.out + result.err
    if sql in REFUSED:
        assert result.out == ""
        assert re.fullmatch(r"query: [^\n]+\n", result.err), result.err
    assert contents(folder) == before
    with pytest.raises(BlockingIOError):
        server.accept()


def children() -> set[str]:
    """Return the children of this process; some tests run servers meanwhile."""
    files = Path("/proc/self/task").glob("*/children")
    return {child for file in files for child in file.read_text().split()}


@pytest.mark.slow
@pytest.mark.parametrize("sql", exploring.tried(ENDLESS))
def test_what_never_ends_is_ended(ndcg: Command, loaded: Path, sql: str) -> None:
    # Rows for people are laid out, however many there are.
    form = "table" if sql.startswith("select range from") else "csv"
    before = children()
    start = time.monotonic()
    assert ndcg("query", "select 1").code == 0
    overhead = time.monotonic() - start
    limits = ["--time-limit", "1", "--memory-limit", "200MB"]
    start = time.monotonic()
    result = ndcg("query", sql, "--format", form, *limits)
    # The machine may be busier than it was for the first.
    assert time.monotonic() - start < 1 + 1 + 3 * overhead
    assert re.match(
        r"query: (stopped after 1 s|needs more memory than)", result.refusal
    )
    assert children() <= before
    assert list(loaded.parent.iterdir()) == [loaded]


def test_there_are_at_least_the_statements_promised() -> None:
    assert len(REFUSED) >= 44
    assert len(ENDLESS) >= 20


@contextmanager
def started(folder: Path, *arguments: str) -> Generator[subprocess.Popen[bytes]]:
    """Start a command in a session of its own."""
    command = [sys.executable, "-m", "ndcg_sql", *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Who runs the tests may ignore some signals, which processes inherit.
        preexec_fn=default_signals,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def default_signals() -> None:
    """Let signals end this process."""
    for name in ("SIGHUP", "SIGINT", "SIGTERM"):
        signal.signal(signal.Signals[name], signal.SIG_DFL)


def in_session(leader: int) -> list[int]:
    """Return the processes of a session that still run."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def wait_for(what: str, is_true: Callable[[], bool]) -> None:
    """Wait until something is so, for at most 20 seconds."""
    end = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < end, what
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are read in /proc")
@pytest.mark.parametrize(
    ("to_all", "name"),
    exploring.sampled(
        product((False, True), ("SIGKILL", "SIGINT", "SIGHUP", "SIGTERM")), 8
    ),
)
def test_nothing_outlives_a_command_that_is_ended(
    loaded: Path, name: str, to_all: bool
) -> None:
    folder, number = loaded.parent, signal.Signals[name]
    with started(folder, "query", LONG) as process:
        wait_for("child", lambda: len(in_session(process.pid)) == 2)
        wait_for("folder", lambda: len(in_folder(folder)) == 2)
        time.sleep(1)
        (os.killpg if to_all else os.kill)(process.pid, number)
        start = time.monotonic()
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - start < 5
        wait_for("no child", lambda: in_session(process.pid) == [])
    assert out == b""
    if number in (signal.SIGINT, signal.SIGTERM):
        assert process.returncode == 128 + number
        assert err == b"interrupted; the warehouse is unchanged\n"
    # No process is left to remove the folder if all of them are killed.
    if not (to_all and number == signal.SIGKILL):
        wait_for("no folder", lambda: in_folder(folder) == [loaded.name])


@pytest.mark.slow
def test_a_reader_that_has_seen_enough_is_no_fault(loaded: Path) -> None:
    sql = "select range from range(1_000_000)"
    command = [sys.executable, "-m", "ndcg_sql", "query", sql, "--format", "csv"]
    with subprocess.Popen(
        command, cwd=loaded.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"range\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
