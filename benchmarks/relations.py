"""Measure how soon the public relations answer what BI tools ask first.

    python benchmarks/relations.py [--published] [--users N] [--documents N]
        [--runs N] [--relation NAME]... [--folder FOLDER] [--csv FILE]

A warehouse is filled with the runs of recommenders: by default 5 runs of 20
documents for each of 200,000 users, of which 2 are judged, with two attributes
and a weight for each user. Then each public relation is asked, by a bare DuckDB
in a process of its own, for its first 1000 rows, the number of its rows, its
distinct runs, the rows of one run (filtered by the names of the dataset, the
judgment set, the measure and the run), the same rows counted in groups, and
those of one query. With --published, the warehouse is published to a file, which
is asked instead. A process that takes over 40 seconds, or needs more than
4 GB, is ended and shown as such. The table has CPU seconds, which other work
on the machine changes least. Peak memory includes that of Python (50 MB).
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from inputs import Shape, apart, write_judgments, write_queries, write_run
from measuring import OURS, machine, outcome, table, tell, workplace, write_csv

COLLECTION = 200_003
SECONDS = 40.0
MEMORY = "4GB"
# The seconds and megabytes that each habit may cost, on a warehouse and on a
# published file.
TARGET = (2.0, 500.0)
PUBLISHED_TARGET = (0.2, 200.0)
PUBLIC = Path(__file__).parents[1] / "sql" / "public"
# The usual filter, as far as a relation has the columns.
FILTERS = {
    "dataset": "default",
    "judgment_set": "qrels",
    "measure": "nDCG@10",
    "run": "run-1",
    "baseline": "run-1",
    "candidate": "run-2",
    "attribute": "country",
    "gain_scheme": "linear",
}
GROUPS = ("run", "measure", "attribute_value", "position")


@dataclass(frozen=True)
class Answer:
    """One row of the CSV file: what a habit costs at a relation.

    outcome is 'answered', or how the process was ended.
    """

    relation: str
    habit: str
    seconds: float
    cpu_seconds: float
    megabytes: float
    rows: int
    outcome: str


def habits(relation: str, columns: Sequence[str], query: str) -> dict[str, str]:
    """Return the habits of BI tools as SQL, for a relation with these columns."""
    filters = [
        f"{column} = '{name}'" for column, name in FILTERS.items() if column in columns
    ]
    groups = [column for column in GROUPS if column in columns]
    asked = {
        "limit": f"select * from {relation} limit 1000",
        "count": f"select count(*) from {relation}",
    }
    if "run" in columns:
        asked["distinct"] = f"select distinct run from {relation}"
    if filters:
        where = " and ".join(filters)
        asked["filter"] = f"select * from {relation} where {where} limit 1000"
        if groups:
            names = ", ".join(groups)
            asked["group"] = (
                f"select {names}, count(*) from {relation}"
                f" where {where} group by {names}"
            )
        if "query_id" in columns:
            where += f" and query_id = '{query}'"
            asked["query"] = f"select * from {relation} where {where}"
    return asked


def fill(
    folder: Path, users: int, documents: int, runs: int, ours: Sequence[str] = OURS
) -> tuple[Path, Shape]:
    """Return a new warehouse, unless the folder has it, and the shape of its data.

    ours is the command that fills it.
    """
    shape = Shape(users, documents, 2, (0, 1, 2, 3), COLLECTION)
    warehouse = folder / f"{users}-{documents}-{runs}.duckdb"
    if warehouse.exists():
        return warehouse, shape
    filled = warehouse.with_suffix(".partial")
    filled.unlink(missing_ok=True)

    def load(kind: str, path: Path) -> None:
        outcome((*ours, "--warehouse", filled, "load", kind, path), folder)
        path.unlink()
        tell(f"loaded {path.name}")

    apart(write_queries, folder / "queries.csv", shape)
    apart(write_judgments, folder / "qrels", shape)
    load("judgments", folder / "qrels")
    load("queries", folder / "queries.csv")
    for run in range(1, runs + 1):
        path = folder / f"run-{run}"
        apart(write_run, path, shape, run)
        load("run", path)
    filled.rename(warehouse)
    return warehouse, shape


def published(warehouse: Path, folder: Path) -> Path:
    """Return the published file of a warehouse, made anew; tell what that costs."""
    target = warehouse.with_suffix(".published")
    target.unlink(missing_ok=True)
    for what in ("new", "unchanged"):
        command = (*OURS, "--warehouse", warehouse, "publish", target)
        found = outcome(command, folder)
        print(f"publish, {what}: {found.seconds:.1f} s, {found.megabytes:.0f} MB")
    sizes = [f"{path.stat().st_size / 1e6:.0f} MB" for path in (warehouse, target)]
    print(f"the warehouse has {sizes[0]}, the published file {sizes[1]}\n")
    return target


def answered(warehouse: Path, relation: str, habit: str, sql: str) -> Answer:
    """Return what an answer costs, in a process that is ended after 40 seconds."""
    context = multiprocessing.get_context("spawn")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=answer, args=(sending, warehouse, sql))
    process.start()
    sending.close()
    # The start of the process does not count.
    receiving.recv()
    ended = f"over {SECONDS:.0f} s"
    found: tuple[float, float, float, int, str] = (SECONDS, SECONDS, 0.0, 0, ended)
    if receiving.poll(SECONDS):
        found = receiving.recv()
    process.kill()
    process.join()
    return Answer(relation, habit, *found)


def answer(sending: Connection, warehouse: Path, sql: str) -> None:
    """Send the seconds, CPU seconds, peak memory and number of rows of an answer."""
    import duckdb

    sending.send("ready")
    start, cpu_start = time.perf_counter(), time.process_time()
    rows, outcome = 0, "answered"
    limits: dict[str, Any] = {"memory_limit": MEMORY, "temp_directory": ""}
    try:
        with duckdb.connect(str(warehouse), read_only=True, config=limits) as client:
            rows = len(client.execute(sql).fetchall())
    except duckdb.OutOfMemoryException:
        outcome = f"over {MEMORY}"
    seconds = time.perf_counter() - start
    cpu_seconds = time.process_time() - cpu_start
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
    sending.send((seconds, cpu_seconds, peak, rows, outcome))


def columns_of(warehouse: Path, relations: Sequence[str]) -> dict[str, list[str]]:
    """Return the columns of those relations that a file has."""
    import duckdb

    columns: dict[str, list[str]] = {}
    with duckdb.connect(str(warehouse), read_only=True) as client:
        found = client.execute(
            "select table_name, column_name from duckdb_columns()"
            " where schema_name = 'main' and list_contains($names, table_name)"
            " order by table_name, column_index",
            {"names": list(relations)},
        )
        for relation, column in found.fetchall():
            columns.setdefault(relation, []).append(column)
    return columns


def shown(answers: Sequence[Answer]) -> list[dict[str, object]]:
    """Return a row for each relation: CPU seconds and megabytes of each habit."""
    rows: dict[str, dict[str, object]] = {}
    for one in answers:
        row = rows.setdefault(
            one.relation,
            {
                "relation": one.relation,
                **dict.fromkeys(
                    ("limit", "count", "distinct", "filter", "group", "query"), ""
                ),
            },
        )
        row[one.habit] = one.outcome
        if one.outcome == "answered":
            row[one.habit] = f"{one.cpu_seconds:.3f} s, {one.megabytes:.0f} MB"
    return list(rows.values())


def late(answers: Sequence[Answer], target: tuple[float, float]) -> list[str]:
    """Return the answers that miss the target, as lines."""
    return [
        f"{one.relation}, {one.habit}"
        for one in answers
        if one.outcome != "answered"
        or one.cpu_seconds > target[0]
        or one.megabytes > target[1]
    ]


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--users", type=int, default=200_000)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--relation", nargs="+", default=[])
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--csv", type=Path, help="write a row for each answer")
    return parser.parse_args()


def main() -> None:
    """Fill a warehouse, ask all relations, and print the costs."""
    asked = arguments()
    relations = asked.relation or sorted(path.stem for path in PUBLIC.glob("*.sql"))
    with workplace(asked.folder) as folder:
        file, shape = fill(folder, asked.users, asked.documents, asked.runs)
        target = TARGET
        if asked.published:
            file, target = published(file, folder), PUBLISHED_TARGET
        query = str(10000 + 157 * (shape.queries // 2))
        answers: list[Answer] = []
        for relation, columns in apart(columns_of, file, relations).items():
            for habit, sql in habits(relation, columns, query).items():
                one = answered(file, relation, habit, sql)
                tell(f"{relation}, {habit}: {one.seconds:.2f} s, {one.outcome}")
                answers.append(one)
    print(machine())
    print(f"{asked.runs} runs, {asked.users:,} users, {asked.documents} documents\n")
    print(table(shown(answers)))
    missed = "; ".join(late(answers, target)) or "none"
    print(f"\nOver {target[0]:g} s or {target[1]:g} MB: {missed}")
    if asked.csv:
        rows: list[Mapping[str, object]] = [vars(one) for one in answers]
        write_csv(asked.csv, rows)


if __name__ == "__main__":
    main()
