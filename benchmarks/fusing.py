"""Measure what it costs to fuse runs, beside ranx.

    python benchmarks/fusing.py [--queries N] [--documents N] [--runs N]
        [--method METHOD[:NORM]]... [--tune MEASURE] [--folder FOLDER]

Runs of 1,000 documents for 6,980 queries (three, unless given) are loaded, and fused
by each method into a copy of the warehouse, where the new run is also stored and
evaluated. ranx reads the files each time, as it keeps nothing: what reading alone
takes has a row of its own. It compiles its code when it is first used, so that a
small round comes before. Seconds are elapsed and of processor time. With --tune, rrf
and weighted are also tuned, on folds; ranx's own tuning holds nothing out, and is not
measured.
"""

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from inputs import Shape, apart, write_judgments, write_run
from measuring import OURS, installed, machine, outcome, table, tell, workplace

RANX = Path(__file__).parent / "rivals" / "ranx_fused.py"
METHODS = ("rrf", "sum:min-max", "weighted:min-max", "sum:zmuv", "med:rank", "borda")
# Methods that ranx calls otherwise.
NAMES = {"weighted": "wsum", "borda": "bordafuse"}
TUNED = ("rrf", "weighted")


def main() -> None:
    """Load the runs, fuse them by each method and print the table."""
    asked = arguments()
    shape = Shape(asked.queries, asked.documents, 2, (0, 1, 2, 3), 999_983)
    rows: list[dict[str, object]] = []
    with workplace(asked.folder) as folder:
        files = [folder / f"run-{number}" for number in range(1, asked.runs + 1)]
        qrels = folder / "qrels"
        if not qrels.exists():
            apart(write_judgments, qrels, shape)
        for number, file in enumerate(files, start=1):
            if not file.exists():
                apart(write_run, file, shape, number)
        warehouse = folder / "loaded.duckdb"
        if not warehouse.exists():
            tell("loading")
            load = (*OURS, "-w", warehouse, "load")
            outcome((*load, "judgments", qrels), folder)
            outcome((*load, "run", *files), folder)
        for method in asked.method or METHODS:
            tell(method)
            rows.append(ours(folder, warehouse, files, method))
            if asked.tune and method.partition(":")[0] in TUNED:
                tell(f"{method}, tuned")
                rows.append(ours(folder, warehouse, files, method, asked.tune))
        if installed("ranx"):
            small = folder / "small"
            apart(write_run, small, Shape(5, 10, 2, (0, 1), 997))
            for method in ("read", *(asked.method or METHODS)):
                tell(f"ranx {method}")
                rivals(folder, [small, small], method)
                rows.append(rivals(folder, files, method))
    print(machine("ranx"))
    print(table(rows))


def ours(
    folder: Path, warehouse: Path, files: Sequence[Path], method: str, tune: str = ""
) -> dict[str, object]:
    """Fuse the runs into a copy of the warehouse, tuned if a measure is named."""
    copy = folder / "ndcg.duckdb"
    shutil.copyfile(warehouse, copy)
    name, _, norm = method.partition(":")
    options = ["--method", name, *(("--norm", norm) if norm else ())]
    if tune:
        options += ["--tune", tune]
    elif name == "weighted":
        options += ["--weights", ",".join("1" for _ in files)]
    names = [file.name for file in files]
    fused = (*OURS, "-w", copy, "fuse", *names, "--name", "fused", *options)
    return row("ndcg-sql", f"{method}, tuned" if tune else method, fused, folder)


def rivals(folder: Path, files: Sequence[Path], method: str) -> dict[str, object]:
    """Read the runs with ranx, and fuse them."""
    name, _, norm = method.partition(":")
    words = (NAMES.get(name, name), norm or "none")
    return row("ranx", method, (sys.executable, RANX, *words, *files), folder)


def row(
    tool: str, method: str, command: Sequence[str | Path], folder: Path
) -> dict[str, object]:
    """Return the cost of a command."""
    return {"tool": tool, "method": method, **outcome(command, folder).cells}


def arguments() -> argparse.Namespace:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description="Measure what fusing runs costs.")
    parser.add_argument("--queries", type=int, default=6980)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--method", action="append")
    parser.add_argument("--tune", metavar="MEASURE")
    parser.add_argument("--folder", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
