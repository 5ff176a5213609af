"""Measure what publishing and pages cost, for a shop's and for researchers' data.

    python benchmarks/publishing.py [--world NAME]... [--folder FOLDER] BIN...

Each BIN is a folder with the programs of an environment that has ndcg-sql installed;
several are measured in turn, each on warehouses that it filled itself. The worlds:

    small       3 runs of 12 documents for 20 queries
    shop        5 runs of 20 documents for 200,000 users, in 8 countries
    two-sets    6 runs of 10 documents for 60,000 users, with two judgment sets
    research    100 runs of 1,000 documents for 50 queries
    many        100 runs of 1,000 documents for 17 queries: pages alone
    long        5 runs of 10 documents for 10,000 queries: pages alone

Published is to a new file, then to the same file with one more run, and the same to
a folder. Seconds are elapsed and of processor time; one round each, for most take
long.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from inputs import Shape, apart, write_judgments, write_queries, write_run
from measuring import machine, outcome, table, tell, workplace


class World(NamedTuple):
    """A warehouse that is filled, and what is measured on it."""

    shape: Shape
    runs: int
    judgment_sets: int = 1
    publishes: bool = True
    has_page: bool = True


GRADES = (0, 1, 2, 3)
WORLDS = {
    "small": World(Shape(20, 12, 10, GRADES, 997), 3),
    "shop": World(Shape(200_000, 20, 4, GRADES, 999_983), 5, has_page=False),
    "two-sets": World(Shape(60_000, 10, 4, GRADES, 999_983), 6, 2, has_page=False),
    "research": World(Shape(50, 1_000, 200, GRADES, 99_991), 100),
    "many": World(Shape(17, 1_000, 200, GRADES, 99_991), 100, publishes=False),
    "long": World(Shape(10_000, 10, 4, GRADES, 99_991), 5, publishes=False),
}


def main() -> None:
    """Fill the warehouses, publish, write pages and print the table."""
    asked = arguments()
    rows: list[dict[str, object]] = []
    with workplace(asked.folder) as folder:
        for name in asked.world or WORLDS:
            for place, programs in enumerate(asked.programs):
                own = folder / f"{name}-{place}"
                own.mkdir(exist_ok=True)
                ours = (str(programs.absolute() / "ndcg-sql"), "--quiet")
                rows += measured(own, name, ours, str(programs))
    print(machine())
    print()
    print(table(rows))


def measured(
    folder: Path, name: str, ours: tuple[str, ...], shown: str
) -> list[dict[str, object]]:
    """Return the rows of a world: what was done, seconds, memory and bytes."""
    world = WORLDS[name]
    tell(f"{name}: filling")
    (folder / "ndcg.duckdb").unlink(missing_ok=True)
    load(folder, world, ours)
    steps: list[tuple[str, tuple[str, ...], str]] = []
    if world.has_page:
        steps.append(("report --html", ("report", "--html", "page.html"), "page.html"))
    targets = ("file.duckdb", "folder/") if world.publishes else ()
    steps += [("publish", ("publish", target), target) for target in targets]
    rows: list[dict[str, object]] = []
    for step, words, target in steps:
        rows.append(done(folder, (*ours, *words), target, f"{name}: {step} {target}"))
    if targets:
        load_run(folder, world, ours, world.runs + 1)
        for target in targets:
            what = f"{name}: one more run, {target}"
            rows.append(done(folder, (*ours, "publish", target), target, what))
    return [{"": shown, **row} for row in rows]


def done(
    folder: Path, command: tuple[str, ...], target: str, what: str
) -> dict[str, object]:
    """Return the row of one command that writes a target."""
    tell(what)
    did = outcome(command, folder)
    files = [folder / target, *(folder / target).rglob("*")]
    size = sum(file.stat().st_size for file in files if file.is_file())
    return {
        "what": what,
        "s": did.seconds,
        "CPU, s": did.cpu,
        "peak, MB": did.megabytes,
        "written, MB": size / 1e6,
    }


def load(folder: Path, world: World, ours: tuple[str, ...]) -> None:
    """Load judgments, queries and runs of a world."""
    apart(write_queries, folder / "queries.csv", world.shape)
    outcome((*ours, "load", "queries", "queries.csv"), folder)
    for number in range(1, world.judgment_sets + 1):
        shape = replace(world.shape, judged=world.shape.judged + number - 1)
        apart(write_judgments, folder / "qrels", shape)
        words = ("load", "judgments", "qrels", "--name", f"judges-{number}")
        outcome((*ours, *words), folder)
    for number in range(1, world.runs + 1):
        load_run(folder, world, ours, number)


def load_run(folder: Path, world: World, ours: tuple[str, ...], number: int) -> None:
    """Load the n-th run of a world."""
    apart(write_run, folder / "run", world.shape, number)
    words = ("load", "run", "run", "--name", f"run-{number}")
    outcome((*ours, *words), folder)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", action="append", choices=WORLDS)
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("programs", type=Path, nargs="+", metavar="BIN")
    return parser.parse_args()


if __name__ == "__main__":
    main()
