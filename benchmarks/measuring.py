"""Measuring commands as separate processes; describing the machine; tables and CSV."""

import csv
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

# Python keeps compiled modules, as it does where people work: some containers forbid
# it, and each process then compiles all modules again.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name != "PYTHONDONTWRITEBYTECODE"
}
OURS = (sys.executable, "-m", "ndcg_sql", "--quiet")


@dataclass(frozen=True)
class Outcome:
    """The time and memory of a command, from its start to its end, and its output.

    cpu is in seconds, of all of its processes. megabytes is the peak memory (10^6
    bytes) of its largest process, but at least that of the measuring process.
    """

    seconds: float
    megabytes: float
    output: str
    cpu: float

    @property
    def cells(self) -> dict[str, object]:
        """The time and memory, as cells of a row of a table."""
        return {
            "seconds": self.seconds,
            "CPU, s": self.cpu,
            "peak, MB": self.megabytes,
        }


def outcome(command: Sequence[str | Path], folder: Path) -> Outcome:
    """Return the outcome of a command in a folder; end the benchmark if it failed."""
    with (
        tempfile.TemporaryFile("w+") as printed,
        tempfile.TemporaryFile("w+") as told,
    ):
        start = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=folder, env=ENVIRONMENT, stdout=printed, stderr=told
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        told.seek(0)
        if process.returncode != 0:
            words = " ".join(str(part) for part in command)
            sys.exit(f"{words}\nended with {process.returncode}:\n{told.read()}")
        unit = 1 if sys.platform == "darwin" else 1024
        megabytes = usage.ru_maxrss * unit / 1e6
        cpu = usage.ru_utime + usage.ru_stime
        return Outcome(seconds, megabytes, printed.read(), cpu)


BAD = ("lost", "partial", "wrong", "failed", "files")


@dataclass
class Count:
    """What was tried, and what came of it: of what is bad, there must be nothing."""

    fault: str
    place: str = ""
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("tries", "ended", "old state", *BAD), 0)
    )

    def add(self, kind: str, amount: int = 1) -> None:
        """Count something."""
        self.counts[kind] += amount

    def found(self, kind: str, what: str) -> None:
        """Count a fault and tell it."""
        self.add(kind)
        tell(f"{self.fault}, {self.place}: {kind}: {what}")

    @property
    def is_bad(self) -> bool:
        """Whether there is a fault."""
        return any(self.counts[kind] for kind in BAD)

    @property
    def row(self) -> dict[str, object]:
        """A row of the table."""
        return {"fault": self.fault, **self.counts}


@contextmanager
def workplace(kept: Path | None) -> Generator[Path]:
    """Give the folder that keeps the data, or a temporary one."""
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.absolute()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)


def installed(module: str) -> bool:
    """Return whether a module can be imported; print a line if it cannot."""
    if find_spec(module):
        return True
    tell(f"{module} is not installed: left out")
    return False


def tell(line: str) -> None:
    """Print a line of progress on standard error."""
    print(line, file=sys.stderr, flush=True)


def machine(*packages: str) -> str:
    """Return a line on the machine, and a line on the installed versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [f"Python {platform.python_version()}"]
    for package in ("ndcg-sql", "duckdb", *packages):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return (
        f"{platform.system()} {platform.machine()}, {_processor()},"
        f" {os.cpu_count()} cores, {memory:.0f} GiB\n{', '.join(versions)}"
    )


def table(rows: Sequence[Mapping[str, object]]) -> str:
    """Return rows as a Markdown table; floats are rounded to three digits."""
    lines = [list(rows[0]), ["---"] * len(rows[0])]
    lines += [[_shown(value) for value in row.values()] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows as a CSV file."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def finish(counts: Sequence[Count], path: Path | None, *packages: str) -> NoReturn:
    """Print what was counted, write it as CSV, and end with 1 if anything is bad."""
    rows = [count.row for count in counts]
    print(machine(*packages), table(rows), sep="\n\n")
    if path:
        write_csv(path, rows)
    sys.exit(any(count.is_bad for count in counts))


def _shown(value: object) -> str:
    """Return a value as shown in a table."""
    if not isinstance(value, float):
        return str(value)
    decimals = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{decimals}f}" if abs(value) >= 0.1 else f"{value:.3f}"


def _processor() -> str:
    """Return the name of the processor."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()
