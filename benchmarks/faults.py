"""Break what runs, and count what is lost: kills, full disks, crowds, odd files.

    python benchmarks/faults.py [--fault NAME]... [--seed N] [--kills N] [--limits N]
        [--turns N] [--minutes M] [--files N] [--mutations N] [--csv FILE]

    kill        kill -9 in the system calls of each command that changes files (strace)
    full disk   a limit on the size of files (RLIMIT_FSIZE), at points from 1 kB up to
                the size of what the command writes
    clock       a clock that is turned back by years before and while a command runs
                (Debian's libfaketime)
    processes   eight processes load, report, publish and rename in one warehouse
    changing    a pipe, a file that grows, a link that changes, while they are loaded
    mutated     random changes of good files of each format

A row of the table has the number of tries, and of those that hit before the command
was done; then what must be 0:

    lost        reported as done, and not there
    partial     neither what was there before nor what is there afterwards; of a file
                that is loaded, other rows than an independent reader finds
    wrong       a file that does not open, a failed check, an unexpected error, or the
                same command does not succeed afterwards

Faults are told on standard error; the exit code is then 1. Linux only.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from breaking import Count, clocked, crowded, kill, limited, make
from measuring import machine, table, tell, workplace, write_csv
from mutating import changing, mutated

NAMES = ("kill", "full disk", "clock", "processes", "changing", "mutated")


def main() -> None:
    """Break what is asked for, print the table and write the CSV file."""
    asked = arguments()
    seed = asked.seed
    rows: list[dict[str, object]] = []
    with workplace(asked.folder) as folder:
        made, own = folder / "made", folder / "own"
        for part in (made, own):
            part.mkdir()
        make(made)
        faults: dict[str, Callable[[], list[Count]]] = {
            "kill": lambda: kill(made, own, asked.kills),
            "full disk": lambda: limited(made, own, seed, asked.limits),
            "clock": lambda: clocked(made, own, seed, asked.turns),
            "processes": lambda: crowded(made, own, seed, asked.minutes),
            "changing": lambda: changing(own, seed, asked.files),
            "mutated": lambda: mutated(own, seed, asked.mutations),
        }
        for name in asked.fault or NAMES:
            start = time.monotonic()
            rows += [count.row for count in faults[name]()]
            tell(f"{name}: {time.monotonic() - start:.0f} s")
    print(machine("pyarrow"))
    print()
    print(table(rows))
    if asked.csv:
        write_csv(asked.csv, rows)
    sys.exit(any(row[kind] for row in rows for kind in ("lost", "partial", "wrong")))


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fault", action="append", choices=NAMES)
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--kills", type=int, default=1000, help="of each kind of call")
    parser.add_argument("--limits", type=int, default=60, help="of all commands")
    parser.add_argument("--turns", type=int, default=60, help="of the clock, in all")
    parser.add_argument("--minutes", type=float, default=5, help="of processes")
    parser.add_argument("--files", type=int, default=50, help="of each kind")
    parser.add_argument("--mutations", type=int, default=1000, help="of each format")
    parser.add_argument("--csv", type=Path, help="write the rows there, too")
    parser.add_argument("--folder", type=Path, help="keep the data there")
    return parser.parse_args()


if __name__ == "__main__":
    main()
