"""Measure what questions to a large warehouse cost, in seconds of processor time.

    python benchmarks/questions.py [--rounds N] [--users N] [--runs N]
        [--folder FOLDER] BIN...

Each BIN is a folder with the programs of an environment that has ndcg-sql
installed, such as .venv/bin; several are measured in turn, round by round, each on
a warehouse that it filled itself: by default 5 runs of 20 documents for each of
200,000 users, with weights, and 2 runs for a quarter of the users, whose 8 countries
are compared. What counts is user and system time, as other work on the machine
changes it less than elapsed time. The medians of all rounds are printed.
"""

import argparse
import statistics
from pathlib import Path

from measuring import machine, outcome, table, tell, workplace
from relations import fill

DOCUMENTS = 20
# The questions, and whether they are asked of the smaller warehouse.
QUESTIONS = {
    "report, weighted": (("report",), False),
    "compare": (("compare", "run-1", "run-2"), False),
    "compare --by": (("compare", "run-1", "run-2", "--by", "country"), True),
    # A gate that fails would end the benchmark.
    "gate --by": (
        ("gate", "run-1", "run-2", "--by", "country", "--max-drop", "0.9"),
        True,
    ),
    "holes": (("holes", "--run", "run-1", "--format", "csv"), True),
    "check": (("check",), True),
}


def main() -> None:
    """Fill the warehouses, ask the questions and print the table."""
    asked = arguments()
    found: dict[tuple[str, int], list[tuple[float, float]]] = {}
    with workplace(asked.folder) as folder:
        warehouses = [
            filled(folder / str(place), programs, asked.users, asked.runs)
            for place, programs in enumerate(asked.programs)
        ]
        for number in range(1, asked.rounds + 1):
            for question, (words, is_small) in QUESTIONS.items():
                tell(f"round {number} of {asked.rounds}: {question}")
                for place, (ours, large, small) in enumerate(warehouses):
                    warehouse = small if is_small else large
                    did = outcome((*ours, "--warehouse", warehouse, *words), folder)
                    cost = (did.cpu, did.megabytes)
                    found.setdefault((question, place), []).append(cost)
    print(machine())
    print(f"{asked.users:,} users, runs: {asked.runs}, rounds: {asked.rounds}\n")
    print(table([row(question, found, asked.programs) for question in QUESTIONS]))


def filled(
    folder: Path, programs: Path, users: int, runs: int
) -> tuple[tuple[str, ...], Path, Path]:
    """Return the command of an environment, and its large and small warehouse."""
    folder.mkdir(exist_ok=True)
    ours = (str(programs.absolute() / "ndcg-sql"), "--quiet")
    large, _ = fill(folder, users, DOCUMENTS, runs, ours)
    small, _ = fill(folder, users // 4, DOCUMENTS, 2, ours)
    return ours, large, small


def row(
    question: str,
    found: dict[tuple[str, int], list[tuple[float, float]]],
    programs: list[Path],
) -> dict[str, object]:
    """Return the row of a question, with two columns for each environment."""
    cells: dict[str, object] = {"question": question}
    for place, path in enumerate(programs):
        seconds, megabytes = zip(*found[question, place], strict=True)
        cells[f"{path}: CPU, s"] = statistics.median(seconds)
        cells[f"{path}: peak, MB"] = float(max(megabytes))
    return cells


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=200_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("programs", type=Path, nargs="+", metavar="BIN")
    return parser.parse_args()


if __name__ == "__main__":
    main()
