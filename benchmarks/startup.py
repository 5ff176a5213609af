"""Measure what small commands cost, in seconds of processor time.

    python benchmarks/startup.py [--rounds N] BIN...

Each BIN is a folder with the programs of an environment that has ndcg-sql
installed, such as .venv/bin; several are measured in turn, round by round. What
counts is user and system time of the process and its children, as other work on
the machine changes it less than elapsed time. The least of all rounds is printed.
"""

import argparse
import resource
import subprocess
import tempfile
from pathlib import Path

from measuring import ENVIRONMENT

QUERIES, DEPTH = 50, 100
MEMORY = "from ndcg_sql import Warehouse; Warehouse.memory().close()"
# They run in a folder that has the files few, qrels and run. Commands before the last
# one prepare it and are not measured.
COMMANDS = {
    "--help": ["ndcg-sql --help"],
    "--version": ["ndcg-sql --version"],
    "load judgments, into a new warehouse": ["ndcg-sql load judgments few"],
    "report": [
        "ndcg-sql load judgments qrels",
        "ndcg-sql load run run",
        "ndcg-sql report",
    ],
    "eval, 50 queries": ["ndcg-sql eval qrels run"],
    "Warehouse.memory()": [f"python -c '{MEMORY}'"],
}


def write(folder: Path) -> None:
    """Write the files that the commands read."""
    pairs = [(q, d) for q in range(QUERIES) for d in range(DEPTH)]
    (folder / "few").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n")
    (folder / "qrels").write_text(
        "".join(f"q{q} 0 d{d} {(q + d) % 4}\n" for q, d in pairs if d % 3 == 0)
    )
    (folder / "run").write_text(
        "".join(f"q{q} Q0 d{d} 0 {(q * 37 + d * 61) % 997} t\n" for q, d in pairs)
    )


def cpu(programs: Path, commands: list[str]) -> float:
    """Return the processor seconds of the last of some commands."""
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        for command in commands:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                ["sh", "-c", f"exec {programs.absolute()}/{command}"],
                cwd=folder,
                env=ENVIRONMENT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime
            seconds -= before.ru_utime + before.ru_stime
    return seconds


def main() -> None:
    """Print a table: commands by environments."""
    parser = argparse.ArgumentParser(description="Measure what small commands cost.")
    parser.add_argument("programs", type=Path, nargs="+", metavar="BIN")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| CPU, s |" + "".join(f" {path} |" for path in options.programs))
    print("| --- |" + " --- |" * len(options.programs))
    for name, commands in COMMANDS.items():
        found: dict[Path, list[float]] = {path: [] for path in options.programs}
        for _ in range(options.rounds):
            for path in options.programs:
                found[path].append(cpu(path, commands))
        cells = "".join(f" {min(times):.2f} |" for times in found.values())
        print(f"| {name} |{cells}")


if __name__ == "__main__":
    main()
