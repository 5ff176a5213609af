"""Measure what the measures of all that a run shows cost, beside pandas.

    python benchmarks/showing.py [--users N] [--documents N] [--known N] [--items N]
        [--rounds N] [--folder FOLDER]

A run shows 20 items to each of a million users, unless other numbers are given, who
know 20 items each. What is loaded once has rows of its own: known items, the
catalogue, the judgments. So has the run, loaded into a warehouse that keeps the
values of all measures. Each measure is then computed alone, and all together, from
the stored run, by a report of measures that are not kept.

A plain program of numpy and pandas, written for this benchmark, is the rival: it
reads the same files each time, as it keeps nothing, and computes all measures; what
reading alone takes has a row of its own. Its values agree to 1e-9. Seconds are elapsed
and of processor time; the fastest of the rounds counts.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from inputs import apart, write_shop
from measuring import OURS, Outcome, installed, machine, outcome, table, tell, workplace

PANDAS = Path(__file__).parent / "rivals" / "pandas_shown.py"
CUTOFF = 10
MEASURES = tuple(
    f"{name}@{CUTOFF}"
    for name in (
        *("Popularity", "Novelty", "TailShare", "ILD(by='category')"),
        *("Coverage", "Gini", "Entropy"),
    )
)
INPUTS = ("recommended", "known", "items")


def main() -> None:
    """Write the files, measure each tool, compare the values and print the table."""
    asked = arguments()
    with workplace(asked.folder) as folder:
        if not (folder / "items").exists():
            tell("writing the files")
            counts = (asked.users, asked.documents, asked.known, asked.items)
            apart(write_shop, folder, *counts)
        rows = loaded(folder)
        for measure in MEASURES:
            done = reported(folder, asked.rounds, measure)
            rows.append({"tool": "ndcg-sql", "step": measure, **done.cells})
        ours = reported(folder, asked.rounds, *MEASURES)
        rows.append({"tool": "ndcg-sql", "step": "all of these", **ours.cells})
        if installed("pandas"):
            for step in ("read", "all of these"):
                tell(f"pandas, {step}")
                command = (sys.executable, PANDAS, *INPUTS, str(CUTOFF), step)
                theirs = fastest(command, folder, asked.rounds)
                rows.append({"tool": "pandas", "step": step, **theirs.cells})
                if step != "read":
                    compare(ours, theirs)
        (folder / "kept.duckdb").unlink()
    print(machine("pandas", "numpy"))
    print(table(rows))


def loaded(folder: Path) -> list[dict[str, object]]:
    """Load everything; return what each step costs.

    No value is left in the warehouse that a report could read.
    """
    ours = (*OURS, "-w", "kept.duckdb")
    outcome((*ours, "measures", "add", *MEASURES), folder)
    rows: list[dict[str, object]] = []
    for step in ("known known", "documents items", "judgments held_out"):
        rows.append(
            row(f"load {step.split()[0]}", (*ours, "load", *step.split()), folder)
        )
    rows.append(
        row("load run, values kept", (*ours, "load", "run", "recommended"), folder)
    )
    outcome((*ours, "measures", "remove", *MEASURES), folder)
    return rows


def reported(folder: Path, rounds: int, *measures: str) -> Outcome:
    """Return the outcome of a report of measures of the stored run."""
    tell(" ".join(measures))
    words = ("-w", "kept.duckdb", "report", "--format", "json", "-m")
    return fastest((*OURS, *words, " ".join(measures)), folder, rounds)


def row(step: str, command: Sequence[str | Path], folder: Path) -> dict[str, object]:
    """Return the cost of a step."""
    tell(step)
    return {"tool": "ndcg-sql", "step": step, **outcome(command, folder).cells}


def fastest(command: Sequence[str | Path], folder: Path, rounds: int) -> Outcome:
    """Return the outcome of the fastest of some rounds of a command."""
    return min(
        (outcome(command, folder) for _ in range(rounds)), key=lambda one: one.cpu
    )


def compare(ours: Outcome, theirs: Outcome) -> None:
    """End the benchmark if the values differ."""
    values = {one["measure"]: one["value"] for one in json.loads(ours.output)}
    for measure, value in json.loads(theirs.output).items():
        if abs(values[measure] - value) > 1e-9 * max(1, abs(value)):
            sys.exit(f"{measure}: {values[measure]} here, {value} by pandas")


def arguments() -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Measure what is shown to all.")
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--known", type=int, default=20)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
