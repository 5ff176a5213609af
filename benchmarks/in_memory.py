"""Times of evaluation in memory, beside the libraries that it replaces.

    python benchmarks/in_memory.py

Each call gets the same dictionaries and returns means of nDCG@10, AP and RR. The
best of five calls counts, after a first one that is not timed.
"""

import random
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import ndcg_sql

Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]
SIZES = ((50, 100), (1000, 100), (7000, 1000))


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


def tools() -> dict[str, Callable[[Judged, Ranked], Any]]:
    """Return what each tool calls."""
    ir_measures: Any = import_module("ir_measures")
    pytrec_eval: Any = import_module("pytrec_eval")
    ranx: Any = import_module("ranx")
    asked = [ir_measures.nDCG @ 10, ir_measures.AP, ir_measures.RR]
    names = {"ndcg_cut.10", "map", "recip_rank"}
    return {
        "ndcg-sql": lambda j, r: ndcg_sql.evaluate(j, r, "nDCG@10 AP RR"),
        "ir_measures": lambda j, r: ir_measures.calc_aggregate(asked, j, r),
        "pytrec_eval": lambda j, r: pytrec_eval.RelevanceEvaluator(j, names).evaluate(
            r
        ),
        "ranx": lambda j, r: ranx.evaluate(
            ranx.Qrels(j), ranx.Run(r), ["ndcg@10", "map", "mrr"]
        ),
    }


def main() -> None:
    """Print a row for each size."""
    warnings.simplefilter("ignore")
    known = tools()
    print("| queries, documents |", " | ".join(known), "|")
    print("|---|" + "---:|" * len(known))
    for queries, documents in SIZES:
        judged, ranked = world(queries, documents)
        found: list[str] = []
        for call in known.values():
            call(judged, ranked)
            times: list[float] = []
            for _ in range(5 if queries < 5000 else 2):
                began = time.perf_counter()
                call(judged, ranked)
                times.append(time.perf_counter() - began)
            found.append(f"{min(times):.3f}")
        print(f"| {queries}, {documents} |", " | ".join(found), "|", flush=True)


if __name__ == "__main__":
    main()
