"""Commands that are killed: in a system call, or after their commit."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

# Has commits write a log, as other programs do.
LOGGING = """
from ndcg_sql.database import opening
opening.write_at_commit = lambda *_: None
"""
KILLED_BEFORE_CHECKPOINT = f"""{LOGGING}
import os, signal, sys
from ndcg_sql.cli.main import run
from ndcg_sql.database.database import Database
Database.close = lambda database: os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""
# Gives a process further migrations, of which each takes some time, and other views.
UPGRADE = """
from ndcg_sql.database import sql_files, views

texts = [
    "alter table runs add column mu double; update runs set mu = run_id",
    "create table copies as from hits, range(10000); alter table hits add nu double",
    "create table more_copies as from copies",
]
known = sql_files.migrations() | {f"more/{n}": text for n, text in enumerate(texts)}
sql_files.migrations = lambda: known
views.checksum = lambda: "changed"
"""
# Forks a process that has imported everything, which stops before it runs a command.
WARM = """
import json, os, resource, signal, sys
sys.modules.setdefault("pandas", None)
import duckdb
import sqlalchemy
from ndcg_sql.loading import fusing, sets, upkeep
from ndcg_sql.publishing import publish
from ndcg_sql.cli.main import run

for line in sys.stdin:
    folder, arguments, room, is_stopped = json.loads(line)
    child = os.fork()
    if child == 0:
        if is_stopped:
            os.kill(os.getpid(), signal.SIGSTOP)
        os.chdir(folder)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        os._exit(run(arguments))
    if is_stopped:
        os.waitpid(child, os.WUNTRACED)
        print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
# The system calls that change what is on the disk.
CALLS = (
    *("write", "pwrite64", "fsync", "fdatasync", "ftruncate"),
    *("link", "rename", "renameat2", "unlink", "unlinkat", "mkdir", "rmdir"),
)
# A system call, and which one of a process it is, from 1.
Moment = tuple[str, int]
# Takes arguments, a limit on the size of files, and options of strace, which traces
# it; returns the exit code.
Warm = Callable[..., int]


@contextmanager
def warm(folder: Path, first: str = "") -> Generator[Warm]:
    """Give what runs a command in a process of its own, after it ran first.

    What it prints is then in the files out and err of the folder. With room, no file
    can become larger than so many bytes.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", first + WARM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    given, told = process.stdin, process.stdout

    def ran(
        arguments: Sequence[str], room: int | None = None, trace: Sequence[str] = ()
    ) -> int:
        line = json.dumps([str(folder), arguments, room, bool(trace)])
        print(line, file=given, flush=True)
        if not trace:
            return int(told.readline())
        number = int(told.readline())
        tracer = subprocess.Popen(
            ["strace", "-f", "-p", str(number), *trace],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert tracer.stderr is not None
        attached = tracer.stderr.readline()
        os.kill(number, signal.SIGCONT)
        code = int(told.readline())
        tracer.communicate()
        assert "attached" in attached, attached
        return code

    with process:
        yield ran


def untraceable() -> str:
    """Return why nothing can be killed in its system calls here, if so."""
    if not shutil.which("strace"):
        return "strace is not there"
    command = ["strace", "-f", "-o", os.devnull, "true"]
    tried = subprocess.run(command, capture_output=True, text=True)
    return f"strace is not permitted: {tried.stderr}" if tried.returncode else ""


def moments(command: Warm, arguments: Sequence[str], folder: Path) -> list[Moment]:
    """Run a command to its end; return its system calls that change files."""
    log = folder / "calls"
    trace = ("-y", "-e", f"trace={','.join(CALLS)}", "-o", str(log))
    assert command(arguments, trace=trace) == 0
    call = rf"^(\d+) +({'|'.join(CALLS)})\((.*)"
    # Strace counts the calls of each thread by themselves.
    counts: Counter[tuple[str, str]] = Counter()
    found: set[Moment] = set()
    for thread, name, rest in re.findall(call, log.read_text(), re.MULTILINE):
        counts[thread, name] += 1
        # What is printed is none of the files.
        is_inside = str(folder) in rest or re.match('"[^/]', rest)
        if is_inside and not rest.startswith(("1<", "2<")):
            found.add((name, counts[thread, name]))
    return sorted(found, key=lambda moment: (CALLS.index(moment[0]), moment[1]))


def sampled(every: list[Moment], amount: int) -> Generator[Moment]:
    """Yield the first and the last ones of each kind of call, and some between.

    With an amount of 0 it is only the last one of each.
    """
    for kind in dict(every):
        numbers = [number for name, number in every if name == kind]
        few = numbers[:: max(1, len(numbers) // amount)] if amount else ()
        for number in sorted({*few, *numbers[-min(2, amount + 1) :]}):
            yield kind, number


def killed(command: Warm, arguments: Sequence[str], moment: Moment) -> int:
    """Run a command that is killed when it enters a system call."""
    name, number = moment
    inject = f"inject={name}:signal=SIGKILL:when={number}"
    trace = ("-e", f"trace={name}", "-e", inject, "-o", os.devnull)
    return command(arguments, trace=trace)


def killed_before_checkpoint(folder: Path, *arguments: str) -> None:
    """Run a command that is killed after its commit, and leaves its log."""
    code = KILLED_BEFORE_CHECKPOINT
    command = [sys.executable, "-c", code, *arguments]
    killed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (folder / "ndcg.duckdb.wal").stat().st_size > 0
