"""What many measures cost beside one: the same files, nDCG@10 against all_trec.

python benchmarks/many_measures.py [--queries N] [--documents N] [--judged N]
    [--rounds N] [--trec-eval PATH]

Makes judgments and a run (seeded), times each command in turn, and prints a
table of medians. trec_eval takes part where its program is named.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random


def main() -> None:
    """Print the table."""
    arguments = parsed()
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), arguments)
        times: dict[str, list[float]] = {}
        for _ in range(arguments.rounds):
            for name, command in commands(arguments.trec_eval).items():
                start = time.perf_counter()
                subprocess.run(command, cwd=folder, check=True, capture_output=True)
                times.setdefault(name, []).append(time.perf_counter() - start)
    medians = {name: statistics.median(found) for name, found in times.items()}
    first = next(iter(medians.values()))
    print(
        f"{arguments.queries} queries x {arguments.documents} documents,"
        f" {arguments.judged} judged, {os.cpu_count()} cores,"
        f" {arguments.rounds} rounds\n"
    )
    print("| command | median, s | fastest to slowest, s | ratio |")
    print("| --- | --- | --- | --- |")
    for name, found in times.items():
        spread = f"{min(found):.2f} to {max(found):.2f}"
        ratio = medians[name] / first
        print(f"| {name} | {medians[name]:.2f} | {spread} | {ratio:.2f} |")


def parsed() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=7000)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--judged", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trec-eval")
    return parser.parse_args()


def make(folder: Path, arguments: argparse.Namespace) -> None:
    """Write judgments and a run, of which half of what is judged is returned."""
    random = Random(1)
    with (folder / "qrels").open("w") as qrels, (folder / "run").open("w") as run:
        for query in range(arguments.queries):
            shown = random.sample(range(8_000_000), arguments.documents)
            half = arguments.judged // 2
            others = [random.randrange(8_000_000, 9_000_000) for _ in range(half)]
            for document in dict.fromkeys([*random.sample(shown, half), *others]):
                qrels.write(f"{query} 0 {document} {random.choice((0, 0, 1, 2, 3))}\n")
            for rank, document in enumerate(shown, start=1):
                score = arguments.documents - rank + random.random()
                run.write(f"{query} Q0 {document} {rank} {score:.6f} bench\n")


def commands(trec_eval: str | None) -> dict[str, list[str]]:
    """Return the commands to be timed, by what they do."""
    ours = [sys.executable, "-m", "ndcg_sql"]
    every = ["-c", "-m", "all_trec", "qrels", "run"]
    made = {
        "eval, nDCG@10": [*ours, "eval", "qrels", "run", "-m", "nDCG@10"],
        "eval, all_trec": [*ours, "eval", "qrels", "run", "-m", "all_trec"],
        "the drop-in, all_trec": [*ours, "trec_eval", *every],
    }
    if trec_eval:
        plain = [trec_eval, "-c", "-m", "ndcg_cut.10", "qrels", "run"]
        made["trec_eval, ndcg_cut.10"] = plain
        made["trec_eval, all_trec"] = [trec_eval, *every]
    return made


if __name__ == "__main__":
    main()
