"""Times of evaluation in memory, beside the libraries that it replaces.

    python benchmarks/in_memory.py

Each call gets the same dictionaries and returns means. The best of five calls counts,
after a first one, which is shown for ndcg-sql; ÷ is the ratio to pytrec_eval. Last
come all measures of trec_eval, and the CPU seconds of a kept epoch (load_run).
"""

import random
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import ndcg_sql

Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]
SIZES = ((50, 100), (500, 100), (10_000, 100))
# By the names of ir_measures, pytrec_eval and ranx.
MEASURES = (
    ("nDCG@10", "ndcg_cut.10", "ndcg@10"),
    ("AP", "map", "map"),
    ("RR", "recip_rank", "mrr"),
)


def world(queries: int, documents: int) -> tuple[Judged, Ranked]:
    """Return judgments and a run without ties, the same each time."""
    draw = random.Random(0)
    judged = {
        f"q{q}": {f"d{d}": draw.randrange(3) for d in range(0, 2 * documents, 7)}
        for q in range(queries)
    }
    ranked = {
        f"q{q}": {
            f"d{d}": float(score)
            for score, d in enumerate(draw.sample(range(2 * documents), documents))
        }
        for q in range(queries)
    }
    return judged, ranked


def tools(count: int) -> dict[str, Callable[[Judged, Ranked], Any]]:
    """Return what each tool calls for the first measures."""
    ir_measures: Any = import_module("ir_measures")
    pytrec_eval: Any = import_module("pytrec_eval")
    ranx: Any = import_module("ranx")
    ours, trec_eval, of_ranx = zip(*MEASURES[:count], strict=True)
    asked = [ir_measures.parse_measure(name) for name in ours]
    return {
        "ndcg-sql": lambda j, r: ndcg_sql.evaluate(j, r, " ".join(ours)),
        "pytrec_eval": lambda j, r: pytrec_eval.RelevanceEvaluator(
            j, set(trec_eval)
        ).evaluate(r),
        "ir_measures": lambda j, r: ir_measures.calc_aggregate(asked, j, r),
        "ranx": lambda j, r: ranx.evaluate(ranx.Qrels(j), ranx.Run(r), [*of_ranx]),
    }


def seconds(
    call: Callable[[Judged, Ranked], Any], judged: Judged, ranked: Ranked
) -> float:
    """Return the seconds that a call takes."""
    began = time.perf_counter()
    call(judged, ranked)
    return time.perf_counter() - began


def epochs(judged: Judged, ranked: Ranked) -> list[float]:
    """Return the CPU seconds of five loads of a run into a warehouse in a file."""
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        warehouse = ndcg_sql.Warehouse(Path(folder) / "epochs.duckdb")
        warehouse.load_judgments(judged)
        for epoch in range(5):
            began = time.process_time()
            warehouse.load_run(ranked, f"epoch-{epoch}", replace=True)
            found.append(time.process_time() - began)
    return found


def main() -> None:
    """Print a row for each number of measures and each size."""
    warnings.simplefilter("ignore")
    names = list(tools(1))
    print("| measures, queries, documents | first call |", " | ".join(names), "| ÷ |")
    print("|---|" + "---:|" * (len(names) + 2))
    for count, (queries, documents) in product((1, len(MEASURES)), SIZES):
        data = world(queries, documents)
        calls = tools(count).values()
        first = [seconds(call, *data) for call in calls]
        best = [min(seconds(call, *data) for _ in range(5)) for call in calls]
        shown = " | ".join(f"{one:.4f}" for one in (first[0], *best))
        size = f"{count}, {queries}, {documents}"
        print(f"| {size} | {shown} | {best[0] / best[1]:.1f} |", flush=True)
    data, pytrec_eval = world(500, 100), import_module("pytrec_eval")
    evaluator, names = pytrec_eval.RelevanceEvaluator, pytrec_eval.supported_measures
    every: list[Callable[[Judged, Ranked], Any]] = [
        lambda j, r: ndcg_sql.evaluate(j, r, "all_trec"),
        lambda j, r: evaluator(j, names).evaluate(r),
    ]
    ours, theirs = (min(seconds(call, *data) for _ in range(6)) for call in every)
    print(f"\nall_trec, 500, 100: {ours:.4f}, pytrec_eval {theirs:.4f}")
    least = min(epochs(*data))
    print(f"\nLoading 50,000 rows into a warehouse: {least:.2f} s of processor time")


if __name__ == "__main__":
    main()
