"""Measure how costs grow with the number of runs and of users.

    python benchmarks/growth.py [--users N]... [--documents N] [--runs N]
        [--ids short|long]... [--memory-limit SIZE] [--folder FOLDER] [--csv FILE]

A warehouse is filled with the runs of recommenders, one after another: 20
documents for each user, of which 2 are judged. By default, there are 5 runs for
100,000 users and for 1,000,000 (10 M and 100 M rows), with ids that look like
numbers and with ids of 26 characters. Then follow a report of all runs, a
comparison of the last with the first (10,000 resamples in each test), holes and a
pool of both, and typical SQL queries: the means of all runs, and two runs query by
query. With --memory-limit, one more run is loaded
and reported under that limit.

With 1,000,000 users, the files take 10 GB in TMPDIR, or 25 GB in --folder.
"""

import argparse
import itertools
import shutil
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from inputs import SQL, Shape, apart, write_judgments, write_run
from measuring import OURS, machine, outcome, table, tell, workplace, write_csv

COLLECTION = 200_003
# The commands whose time and memory are shown.
SHOWN = ("load run", "report", "compare", "holes", "pool")


@dataclass(frozen=True)
class Step:
    """One row of the CSV file: a step, and the size of the warehouse after it."""

    ids: str
    users: int
    step: str
    run: int
    seconds: float
    megabytes: float
    file_bytes: int


class Filling:
    """A warehouse that is filled, and the costs of each step."""

    def __init__(self, folder: Path, ids: str, users: int, documents: int) -> None:
        """Load the judgments into a new warehouse in its own folder."""
        self._ids = ids
        self._shape = Shape(
            users, documents, 2, (0, 1, 2, 3), COLLECTION, long_ids=ids == "long"
        )
        self._folder = folder / f"{ids}-{users}"
        self._folder.mkdir(exist_ok=True)
        self._warehouse = self._folder / "ndcg.duckdb"
        self._warehouse.unlink(missing_ok=True)
        self.steps: list[Step] = []
        apart(write_judgments, self._folder / "qrels", self._shape)
        self._do("load judgments", 0, "load", "judgments", "qrels")

    def load(self, run: int, keep: bool, *options: str) -> None:
        """Load one more run."""
        path = self._folder / f"run-{run}"
        apart(write_run, path, self._shape, run)
        step = " ".join(("load run", *options))
        self._do(step, run, "load", "run", path, before=options)
        if not keep:
            path.unlink()

    def report(self, runs: int, *options: str) -> None:
        """Report all runs."""
        step = " ".join(("report", *options))
        self._do(step, runs, "report", "--format", "csv", before=options)

    def compare(self, runs: int) -> None:
        """Compare the last run with the first, every test with 10,000 resamples."""
        pair = ("run-1", f"run-{runs}")
        options = ("-m", "nDCG@10", "--resamples", "10000", "--format", "csv")
        self._do("compare", runs, "compare", *pair, *options)

    def holes(self, runs: int) -> None:
        """List the holes of the first run and the last, to a file."""
        pair = ("--run", "run-1", "--run", f"run-{runs}")
        options = ("-m", "nDCG@10", "--output", "holes.csv")
        self._do("holes", runs, "holes", *pair, *options)
        (self._folder / "holes.csv").unlink()

    def pool(self, runs: int) -> None:
        """Pool the first run and the last, to a file."""
        pair = ("--run", "run-1", "--run", f"run-{runs}")
        self._do("pool", runs, "pool", *pair, "--output", "pool.csv")
        (self._folder / "pool.csv").unlink()

    def ask(self, step: str, runs: int, parameters: Mapping[str, str]) -> None:
        """Run sql/STEP.sql as a DuckDB client does."""
        seconds = apart(answered, self._warehouse, step, parameters)
        self._keep(f"SQL: {step}", runs, seconds, 0)

    def remove(self) -> None:
        """Remove all files, to make room for the next warehouse."""
        shutil.rmtree(self._folder)

    def _do(
        self, step: str, run: int, *words: str | Path, before: Sequence[str] = ()
    ) -> None:
        """Run a command of ours."""
        command = (*OURS, "--warehouse", self._warehouse, *before, *words)
        did = outcome(command, self._folder)
        self._keep(step, run, did.seconds, did.megabytes)

    def _keep(self, step: str, run: int, seconds: float, megabytes: float) -> None:
        """Record the costs of a step."""
        size = self._warehouse.stat().st_size
        users = self._shape.queries
        tell(f"{self._ids} ids, {users:,} users, {step} {run}: {seconds:.2f} s")
        self.steps.append(Step(self._ids, users, step, run, seconds, megabytes, size))


def answered(warehouse: Path, name: str, parameters: Mapping[str, str]) -> float:
    """Return the seconds from opening a warehouse to the rows of a query."""
    import duckdb

    sql = (SQL / f"{name}.sql").read_text()
    start = time.perf_counter()
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        rows = connection.execute(sql, dict(parameters)).fetchall()
    seconds = time.perf_counter() - start
    assert rows
    return seconds


def main() -> None:
    """Fill warehouses, print the costs and write the CSV file."""
    asked = arguments()
    steps: list[Step] = []
    with workplace(asked.folder) as folder:
        for ids, users in itertools.product(asked.ids, asked.users):
            steps += filled(folder, ids, users, asked)
    print(machine())
    print(f"{asked.documents} documents for each user, runs: {asked.runs}\n")
    warehouses = [
        Costs(
            [step for step in steps if (step.ids, step.users) == (ids, users)],
            users * asked.documents,
        )
        for ids, users in itertools.product(asked.ids, asked.users)
    ]
    print(table([costs.row() for costs in warehouses]))
    print(f"\n{table(targets(warehouses))}")
    if asked.csv:
        write_csv(asked.csv, [vars(step) for step in steps])


def filled(folder: Path, ids: str, users: int, asked: argparse.Namespace) -> list[Step]:
    """Return the steps of filling and reading one warehouse."""
    filling = Filling(folder, ids, users, asked.documents)
    keep = bool(asked.folder)
    for run in range(1, asked.runs + 1):
        filling.load(run, keep)
    filling.report(asked.runs)
    filling.compare(asked.runs)
    filling.holes(asked.runs)
    filling.pool(asked.runs)
    filling.ask("means", asked.runs, {})
    pair = {"baseline": "run-1", "candidate": f"run-{asked.runs}"}
    filling.ask("differences", asked.runs, pair)
    if asked.memory_limit:
        limit = ("--memory-limit", asked.memory_limit)
        filling.load(asked.runs + 1, keep, *limit)
        filling.report(asked.runs + 1, *limit)
    if not keep:
        filling.remove()
    return filling.steps


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument(
        "--ids", nargs="+", choices=("short", "long"), default=["short", "long"]
    )
    parser.add_argument("--memory-limit", metavar="SIZE", help="such as 1GB")
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--csv", type=Path, help="write a row for each step")
    return parser.parse_args()


class Costs:
    """The costs of the steps of one warehouse; rows is the size of each run."""

    def __init__(self, steps: Sequence[Step], rows: int) -> None:
        """Compute the costs from the steps."""
        self.ids = steps[0].ids
        self.users = steps[0].users
        self._steps = steps
        loads = self._of("load run")
        self.rows = rows * len(loads)
        self.load = statistics.median(step.seconds for step in loads) / rows
        self.last_to_first = loads[-1].seconds / loads[0].seconds
        self.bytes = loads[-1].file_bytes / self.rows
        free = [step for step in steps if "--memory-limit" not in step.step]
        self.peak = max(step.megabytes for step in free)
        self.compare = self._of("compare")[0].seconds
        self.means = self._of("SQL: means")[0].seconds
        self.differences = self._of("SQL: differences")[0].seconds

    def row(self) -> dict[str, object]:
        """Return a row of the table."""
        shown: dict[str, object] = {
            "ids": self.ids,
            "users": f"{self.users:,}",
            "rows": f"{self.rows / 1e6:g} M",
            "load, µs a row": self.load * 1e6,
            "last / first load": self.last_to_first,
            "bytes a row": self.bytes,
            "SQL: means, s": self.means,
            "SQL: differences, s": self.differences,
        }
        for step in self._steps:
            if step.step.startswith(SHOWN):
                peak = max(other.megabytes for other in self._of(step.step))
                shown[f"{step.step}, s"] = step.seconds
                shown[f"{step.step}, MB"] = peak
        return shown

    def _of(self, kind: str) -> list[Step]:
        """Return the steps of a kind."""
        return [step for step in self._steps if step.step == kind]


def targets(warehouses: Sequence[Costs]) -> list[dict[str, object]]:
    """Return the targets, with the worst measured values."""
    growths = [
        large.load / small.load
        for small, large in itertools.combinations(warehouses, 2)
        if large.ids == small.ids and large.users > small.users
    ]
    worst = {
        "load, last run / first": (max(one.last_to_first for one in warehouses), 1.2),
        "peak memory, MB": (max(one.peak for one in warehouses), 2e3),
        "compare two runs, s": (max(one.compare for one in warehouses), 30.0),
        "SQL: means of all runs, s": (max(one.means for one in warehouses), 2.0),
        "SQL: two runs by query, s": (max(one.differences for one in warehouses), 2.0),
    }
    if growths:
        worst["load, time a row, more users / fewer"] = (max(growths), 1.3)
    return [
        {
            "what": what,
            "at most": f"{at_most:g}",
            "measured, at worst": measured,
            "met": "yes" if measured <= at_most else "no",
        }
        for what, (measured, at_most) in worst.items()
    ]


if __name__ == "__main__":
    main()
