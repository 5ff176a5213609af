"""Measure what the values of stored runs cost, in seconds of processor time.

    python benchmarks/evaluating.py [--rounds N] PYTHON...

Each PYTHON is the interpreter of an environment that has ndcg-sql installed, such as
.venv/bin/python; several are measured in turn, each on warehouses that it filled
itself. Hits are stored before; what counts is a first call that stores the values, in a
process of its own, with user and system time and the peak of memory.
"""

import argparse
import os
import statistics
from pathlib import Path

from inputs import Shape, write_judgments, write_run
from measuring import machine, outcome, table, tell, workplace

FOUR = "nDCG@10 AP RR R@100"
# The shape, the number of runs, and the measures.
JOBS = {
    "6,980 queries x 1,000, four": (Shape(6_980, 1_000, 1.07, (1,), 999_983), 1, FOUR),
    "the same, all of trec_eval's": (
        Shape(6_980, 1_000, 1.07, (1,), 999_983),
        1,
        "all_trec",
    ),
    "100 runs x 50 x 1,000, four": (
        Shape(50, 1_000, 200, (0, 1, 2, 3), 99_991),
        100,
        FOUR,
    ),
    "the same, all of trec_eval's ": (
        Shape(50, 1_000, 200, (0, 1, 2, 3), 99_991),
        100,
        "all_trec",
    ),
    "1 M users x 20, four": (Shape(1_000_000, 20, 3, (0, 1, 2, 3), 999_983), 1, FOUR),
}
FILL = """
import sys
from ndcg_sql import Warehouse
path, count, measures = sys.argv[1], int(sys.argv[2]), sys.argv[3]
warehouse = Warehouse(path)
warehouse.load_judgments("qrels", name="judged")
for number in range(1, count + 1):
    warehouse.load_run(f"run-{number}")
if measures == "all_trec":
    warehouse.add_measures("all_trec")
"""
# What stores values is called by its name: both versions that are compared have it.
STORE = """
import resource, sys, time
# As in the command line: DuckDB 1.5 would import pandas for a parameter.
sys.modules.setdefault("pandas", None)
from pathlib import Path
from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import VALUES, refill, store_values_of
with opening.write(Path(sys.argv[1]), refill) as database:
    pairs = database.execute("select run_id, judgment_set_id from evaluations")
    with database.transaction():
        for table in VALUES:
            database.execute(f"delete from {table}")
        began = time.process_time()
        store_values_of(database, pairs)
        took = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(took, peak * 1024 / 1e6)
"""


def main() -> None:
    """Fill warehouses, store the values again and again, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--job", action="append", choices=JOBS)
    # Each runs in a folder of its own.
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", type=os.path.abspath)
    asked = parser.parse_args()
    rows: list[dict[str, object]] = []
    for name in asked.job or JOBS:
        shape, count, measures = JOBS[name]
        costs: dict[str, list[tuple[float, float]]] = {}
        with workplace(None) as folder:
            write_judgments(folder / "qrels", shape)
            for number in range(1, count + 1):
                write_run(folder / f"run-{number}", shape, number)
            for place, python in enumerate(asked.pythons):
                tell(f"{name}: filling {python}")
                words = (python, "-c", FILL, f"{place}.duckdb", str(count), measures)
                outcome(words, folder)
            for _ in range(asked.rounds):
                for place, python in enumerate(asked.pythons):
                    did = outcome((python, "-c", STORE, f"{place}.duckdb"), folder)
                    cpu, peak = map(float, did.output.split())
                    costs.setdefault(python, []).append((cpu, peak))
        row: dict[str, object] = {"job": name}
        for python, found in costs.items():
            row[f"{Path(python).parents[2].name}, CPU s"] = statistics.median(
                cpu for cpu, _ in found
            )
            row[f"{Path(python).parents[2].name}, peak MB"] = max(p for _, p in found)
        rows.append(row)
        tell(str(row))
    print(machine())
    print(table(rows))


if __name__ == "__main__":
    main()
