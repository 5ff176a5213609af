"""A query that is ended, or whose reader leaves, leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.files import in_folder

ENDLESS = "select count(*) from range(10_000_000_000) a, range(10_000_000_000) b"


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
    [
        (True, "SIGINT"),
        (False, "SIGKILL"),
        *(
            pytest.param(to_all, name, marks=pytest.mark.slow)
            for to_all, name in (
                *((False, "SIGINT"), (True, "SIGHUP"), (False, "SIGHUP")),
                *((True, "SIGTERM"), (False, "SIGTERM"), (True, "SIGKILL")),
            )
        ),
    ],
)
def test_nothing_outlives_a_command_that_is_ended(
    loaded: Path, name: str, to_all: bool
) -> None:
    folder, number = loaded.parent, signal.Signals[name]
    with started(folder, "query", ENDLESS) as process:
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
