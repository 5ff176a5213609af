"""Commands that are killed: at any moment, or after their commit.

After a commit, the log is not yet folded in.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

KILLED_BEFORE_CHECKPOINT = """
import os, signal, sys
from ndcg_sql.cli.main import run
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
opening.write_at_commit = lambda *_: None
Database.close = lambda database: os.kill(os.getpid(), signal.SIGKILL)
run(sys.argv[1:])
"""
# Forks a process that has imported everything, and kills it after a while;
# one that was not killed yet is not yet forgotten, so its number is its own.
WARM = """
import json, os, resource, sys, time
sys.modules.setdefault("pandas", None)
import duckdb
from ndcg_sql.loading import removing
from ndcg_sql.loading import sets
from ndcg_sql.cli.main import run

for line in sys.stdin:
    folder, seconds, arguments, room = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        os._exit(run(arguments))
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, 9)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
# Takes seconds, arguments, and a limit on the size of files; returns the exit code.
Warm = Callable[..., int]


@contextmanager
def warm(folder: Path) -> Generator[Warm]:
    """Give what runs a command in a process of its own, killed after some seconds.

    What it prints is then in the files out and err of the folder. With room, no file
    can become larger than so many bytes.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", WARM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    given, codes = process.stdin, process.stdout

    def ran(
        seconds: float | None, arguments: list[str], room: int | None = None
    ) -> int:
        line = json.dumps([str(folder), seconds, arguments, room])
        print(line, file=given, flush=True)
        return int(codes.readline())

    with process:
        yield ran


def killed_before_checkpoint(folder: Path, *arguments: str) -> None:
    """Run a command that is killed after its commit, and leaves its log.

    It writes one as other programs do.
    """
    code = KILLED_BEFORE_CHECKPOINT
    command = [sys.executable, "-c", code, *arguments]
    killed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (folder / "ndcg.duckdb.wal").stat().st_size > 0
