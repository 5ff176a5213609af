"""Simulate how many judgments a decision between two runs needs, by way of choosing.

    python benchmarks/budgets.py QRELS RUN [--trials N] [--step N] [--steps N]
        [--measure M] [--csv FILE]

The judgments of QRELS are the truth, but hidden at first; what they lack has grade 0.
In each trial, two runs reorder the first 100 documents of RUN: a document's score is
its true grade plus noise, whose deviation is 2.0 for one run and 2.2 for the other.
Judging begins with the first document of each run for each query. Then, step by step,
the next documents are judged, chosen in one of three ways:

- budget: ndcg-sql pool --budget, which knows the judgments so far
- depth: the documents that a run puts highest, by chance among equals
- chance: any of the first 10 of each run

After each step, the difference of the runs is compared with that of all judgments: how
far off it is, and whether the better run is the right one.
"""

import argparse
import gzip
import random
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from measuring import machine, table, tell, write_csv

from ndcg_sql import Warehouse

NOISE = {"one": 2.0, "two": 2.2}
SHOWN, DEPTH = 100, 10
Grades = dict[str, dict[str, float]]
Pair = tuple[str, str]


@dataclass(frozen=True)
class Trial:
    """Two runs, the truth, and what was judged at first."""

    warehouse: Warehouse
    measure: str
    runs: dict[str, dict[str, list[str]]]
    truth: Grades
    chance: random.Random

    def difference(self, name: str) -> float:
        """Return by how much the second run is better, by some judgments."""
        report = self.warehouse.report(self.measure, judgments=name).to_dicts()
        means = {row["run"]: float(row["value"]) for row in report}
        return means["two"] - means["one"]

    def judged(self, pairs: list[Pair]) -> Grades:
        """Return the true grades of documents."""
        grades: Grades = {}
        for query, document in pairs:
            grade = self.truth[query].get(document, 0)
            grades.setdefault(query, {})[document] = grade
        return grades


def main() -> None:
    """Run all trials and print the table."""
    warnings.simplefilter("ignore")
    asked = arguments()
    truth = {q: g for q, g in judgments(asked.qrels).items() if max(g.values()) > 0}
    shown = rankings(asked.run)
    errors: dict[tuple[str, int], list[float]] = {}
    wrong: dict[tuple[str, int], list[bool]] = {}
    for seed in range(asked.trials):
        tell(f"trial {seed + 1} of {asked.trials}")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "w.duckdb"
            trial = made(path, truth, shown, asked.measure, random.Random(seed))
            right = trial.difference("truth")
            for way, choose in WAYS.items():
                found = differences(trial, way, choose, asked.step, asked.steps)
                for count, difference in found:
                    errors.setdefault((way, count), []).append(abs(difference - right))
                    wrong.setdefault((way, count), []).append(difference * right <= 0)
    rows = [
        {
            "way": way,
            "judgments": count,
            "trials": len(values),
            "mean error": fmean(values),
            "wrong run": fmean(wrong[way, count]),
        }
        for (way, count), values in errors.items()
    ]
    print(machine())
    print(table(rows))
    if asked.csv:
        write_csv(asked.csv, rows)


def made(
    path: Path,
    truth: Grades,
    shown: dict[str, list[str]],
    measure: str,
    chance: random.Random,
) -> Trial:
    """Return a warehouse with two runs and all judgments."""
    runs: dict[str, dict[str, list[str]]] = {}
    for run, noise in NOISE.items():
        runs[run] = {}
        for query, grades in truth.items():
            scores = {
                document: grades.get(document, 0) + chance.gauss(0, noise)
                for document in shown[query]
            }
            runs[run][query] = sorted(scores, key=scores.__getitem__, reverse=True)
    warehouse = Warehouse(path)
    for run, lists in runs.items():
        warehouse.load_run(lists, run)
    warehouse.load_judgments(truth, "truth")
    return Trial(warehouse, measure, runs, truth, chance)


def differences(
    trial: Trial, way: str, choose: "Choose", step: int, steps: int
) -> Iterator[tuple[int, float]]:
    """Yield how many documents were judged, and the difference of the runs then."""
    pairs = first(trial, 1)
    for number in range(steps + 1):
        name = f"{way}-{number}"
        trial.warehouse.load_judgments(trial.judged(pairs), name)
        yield step * number, trial.difference(name)
        pairs += choose(trial, name, set(pairs), step)


def by_budget(trial: Trial, name: str, judged: set[Pair], step: int) -> list[Pair]:
    """Choose what could change the difference most."""
    del judged
    pool = trial.warehouse.pool(judgments=name, measures=trial.measure, budget=step)
    return [(row["query_id"], row["doc_id"]) for row in pool.to_dicts()]


def by_depth(trial: Trial, name: str, judged: set[Pair], step: int) -> list[Pair]:
    """Choose what a run puts highest."""
    del name
    chosen: list[Pair] = []
    for depth in range(1, SHOWN + 1):
        new = [pair for pair in first(trial, depth) if pair not in judged]
        new = [pair for pair in new if pair not in set(chosen)]
        trial.chance.shuffle(new)
        chosen += new
        if len(chosen) >= step:
            break
    return chosen[:step]


def by_chance(trial: Trial, name: str, judged: set[Pair], step: int) -> list[Pair]:
    """Choose any of the first documents."""
    del name
    new = [pair for pair in first(trial, DEPTH) if pair not in judged]
    return trial.chance.sample(new, min(step, len(new)))


Choose = Callable[[Trial, str, set[Pair], int], list[Pair]]
WAYS: dict[str, Choose] = {"budget": by_budget, "depth": by_depth, "chance": by_chance}


def first(trial: Trial, depth: int) -> list[Pair]:
    """Return the first documents of each run for each query, each once."""
    pairs = {
        (query, document): None
        for lists in trial.runs.values()
        for query, documents in lists.items()
        for document in documents[:depth]
    }
    return list(pairs)


def judgments(path: Path) -> Grades:
    """Read judgments in TREC's format."""
    found: Grades = {}
    for line in lines(path):
        query, _, document, grade = line.split()
        found.setdefault(query, {})[document] = float(grade)
    return found


def rankings(path: Path) -> dict[str, list[str]]:
    """Read the first documents of each query of a run in TREC's format."""
    found: dict[str, list[str]] = {}
    for line in lines(path):
        query, _, document, *_ = line.split()
        if len(found.setdefault(query, [])) < SHOWN:
            found[query].append(document)
    return found


def lines(path: Path) -> list[str]:
    """Return the lines of a file, compressed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("qrels", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--step", type=int, default=25)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--measure", default="nDCG@10")
    parser.add_argument("--csv", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
