"""The parent process of untrusted SQL.

DuckDB has no user privileges, and not every statement can be interrupted. So a
child process (child.py) opens the warehouse read-only, without access to other
files, the network or settings, and the system ends it at a limit of time or
memory.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import (
    FORMATS,
    HUMAN,
    check_output,
    chosen_format,
    delivered,
)
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.platforms import NEEDED, is_timed_out, processors
from ndcg_sql.wording import Blank, unpacked, use

# The default memory limit in bytes.
_MEMORY = 10**9
# Started in isolation, so that no module of the current directory, environment
# variable or start file of Python is used; the path is that of this process.
_CHILD = (
    "import sys; sys.path[:] = sys.argv[1:];"
    " from ndcg_sql.sandbox.child import main; main()"
)
# The only variables that the child gets; the environment may hold secrets.
_KEPT = ("LD_LIBRARY_PATH", "TZ", *NEEDED)


@dataclass(frozen=True)
class Task:
    """The query of the child, its limits, and where the answer goes.

    The answer goes to the file; the child has its folder for temporary files.
    """

    sql: str
    warehouse: str
    form: str
    file: str
    wait: float
    seconds: float
    memory: int
    threads: int | None


def query(
    sql: str,
    form: str | None,
    output: Path | None,
    seconds: float,
    warehouse: Path,
    wait: float,
    limits: Limits,
) -> None:
    """Answer one select, in a format, on standard output or in a file.

    Waits up to wait seconds for a process that has the warehouse open.
    Raises NdcgSqlError if the child refuses, fails, or reaches a limit; then
    nothing is written. No child or temporary file outlives the call.
    """
    check_limit(seconds)
    folder = limits.temporary or warehouse.absolute().parent
    scratch = folder if os.access(folder, os.W_OK) else None
    memory, threads = limits.memory or _MEMORY, limits.threads or processors()
    form = chosen_format(form, output, FORMATS)
    check_output(output, form)
    with delivered(warehouse, output, scratch) as file:
        paths = str(warehouse), form, str(file.absolute())
        _ask(Task(sql, *paths, wait, seconds, memory, threads))


def check_limit(seconds: float) -> None:
    """Raise NdcgSqlError for a time limit that is none."""
    if not 0.001 <= seconds <= 1e9:
        where = use(time_limit=seconds)
        raise NdcgSqlError("must be from 0.001 to 1e9", where=where)


def _ask(task: Task) -> None:
    """Run a child until it ends, and raise NdcgSqlError if it failed."""
    command = [sys.executable, "-I", "-c", _CHILD, *sys.path]
    errors = Path(task.file).with_name("told")
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(  # noqa: S603 (our own interpreter and code)
            command,
            env={name: os.environ[name] for name in _KEPT if name in os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        ) as child,
    ):
        # The pipe stays open: its end shows the child that the parent has ended.
        pipe = cast("IO[bytes]", child.stdin)
        try:
            with suppress(BrokenPipeError):
                pipe.write(json.dumps(asdict(task)).encode() + b"\n")
                pipe.flush()
            code = child.wait()
        finally:
            child.kill()
            with suppress(BrokenPipeError):
                pipe.close()
    lines = errors.read_text(encoding="utf-8", errors="replace").splitlines()
    if is_timed_out(code):
        remedy = "select less, or raise the limit: " + use(time_limit=Blank("SECONDS"))
        if task.form in HUMAN:
            remedy += "; " + use(form="csv") + " prints many rows faster"
        raise NdcgSqlError(f"query: stopped after {task.seconds:g} s", remedy)
    if code < 0:
        raise NdcgSqlError(
            f"query: DuckDB crashed ({signal.Signals(-code).name}), perhaps for lack"
            " of memory",
            "select less, or raise the limit: " + use(memory=Blank("SIZE")),
        )
    if code == 2:
        raise NdcgSqlError(unpacked(lines[-1]))
    if code != 0:
        last = lines[-1] if lines else f"exit code {code}"
        raise NdcgSqlError(f"unexpected: {last}; please report it")
