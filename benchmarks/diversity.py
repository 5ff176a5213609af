"""Measure what measures of subtopics cost, beside pyndeval.

    python benchmarks/diversity.py [--queries N] [--documents N] [--judged N]
        [--subtopics N] [--rounds N] [--folder FOLDER]

Each judged document is judged for each subtopic of its query. pyndeval reads the same
files; both read and evaluate one run in a process of their own, and agree to 1e-9. The
fastest of the rounds counts. Loading the run into a warehouse, where each value is
kept, has a row of its own. Seconds are elapsed and of processor time.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from inputs import Shape, apart, write_judgments, write_run, write_subtopics
from measuring import OURS, Outcome, installed, machine, outcome, table, tell, workplace

PYNDEVAL = Path(__file__).parent / "rivals" / "pyndeval_means.py"
MEASURES = "alpha-nDCG@20 ERR-IA@20 NRBP MAP-IA strec@20"


def main() -> None:
    """Write the files, measure each tool, compare their means and print the table."""
    asked = arguments()
    shape = Shape(asked.queries, asked.documents, asked.judged, (0, 1, 1, 2), 999_983)
    with workplace(asked.folder) as folder:
        qrels, run = folder / "qrels", folder / "run"
        if not run.exists():
            apart(write_judgments, folder / "judged", shape)
            apart(write_subtopics, qrels, folder / "judged", asked.subtopics)
            apart(write_run, run, shape)
        words = ("--like", "ndeval", "--format", "json", "-m", MEASURES)
        evaluated = fastest((*OURS, "eval", qrels, run, *words), folder, asked.rounds)
        rows = [
            {"tool": "ndcg-sql eval", **evaluated.cells},
            loaded(folder, qrels, run),
        ]
        if installed("pyndeval"):
            theirs = fastest(
                (sys.executable, PYNDEVAL, qrels, run, MEASURES), folder, asked.rounds
            )
            rows.append({"tool": "pyndeval", **theirs.cells})
            compare(evaluated, theirs)
    print(machine("pyndeval"))
    print(table(rows))


def fastest(command: Sequence[str | Path], folder: Path, rounds: int) -> Outcome:
    """Return the outcome of the fastest of some rounds of a command."""
    tell(" ".join(str(part) for part in command[:3]))
    return min(
        (outcome(command, folder) for _ in range(rounds)), key=lambda one: one.cpu
    )


def loaded(folder: Path, qrels: Path, run: Path) -> dict[str, object]:
    """Load the run into a warehouse that has the judgments and also these measures."""
    ours = (*OURS, "-w", folder / "ndcg.duckdb")
    outcome((*ours, "load", "judgments", qrels), folder)
    outcome((*ours, "measures", "add", *MEASURES.split()), folder)
    made = outcome((*ours, "load", "run", run), folder)
    (folder / "ndcg.duckdb").unlink()
    return {"tool": "ndcg-sql load run", **made.cells}


def compare(ours: Outcome, theirs: Outcome) -> None:
    """End the benchmark if the means differ."""
    means = [one["value"] for one in json.loads(ours.output)]
    for mean, (name, value) in zip(
        means, json.loads(theirs.output).items(), strict=True
    ):
        if abs(mean - value) > 1e-9:
            sys.exit(f"{name}: {mean} here, {value} by pyndeval")


def arguments() -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Measure what diversity costs.")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--judged", type=int, default=200)
    parser.add_argument("--subtopics", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
