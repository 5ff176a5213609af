"""The values of a warehouse that other engines must have."""

import math
from functools import cache
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]

from ndcg_sql.python.warehouse import Warehouse
from support.engines import Rows, rows_of
from support.subtopics import OF_JUDGMENTS
from support.worlds import World, world

QUICK = (
    "nDCG@10 nDCG(ties='mean')@5 nDCG(ideal='topk')@10 nDCG(dcg='exp-log2')@10"
    " nDCG(judged_only=true)@10 nDCG(gains={1:3.5,2:9}) AP RR P@5 gm_map RBP@10 ERR@10"
)
ALL = " ".join(family.example for family in OF_JUDGMENTS.values()) + (
    " nDCG nDCG(dcg='jk',base=3)@7 nDCG(ideal='retrieved')@10 nDCG(ideal='returned')@10"
    " nDCG(ideal='uncut')@10 DCG(dcg='exp-jk')@10 nDCG(rel=2,no_rel='omit')@10"
    " AP(judged_only=true)@10 RBP(p=0.01) P(rel=2)@5 nDCG(missing='omit')@10"
    " NumRet(rel=1)"
)

_COMPARED = (
    "baseline_value, candidate_value, difference, n, wins, ties, losses, standard_error"
)
VALUES = {
    "slice_values": "value, n, answered, unanswered, no_relevant, judged_at_k,"
    " standard_error",
    "comparisons": "baseline_value, candidate_value, difference",
    "run_comparisons": _COMPARED,
    "slice_comparisons": _COMPARED,
}


@cache
def worlds(grades: tuple[float, ...]) -> dict[str, World]:
    """Return two runs of the same queries; the second answers fewer of them."""
    first = world(17, 24, grades)
    fewer = dict(list(first.ranked.items())[::2])
    turned = {q: {d: -s for d, s in docs.items()} for q, docs in fewer.items()}
    return {"Ä-1": first, "b": World(first.judged, turned)}


@cache
def wanted(
    grades: tuple[float, ...], measures: str = f"{QUICK} {ALL}"
) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return the values of a warehouse: per query, and per run with its counts."""
    rankings, judgments = rows_of(worlds(grades))
    with Warehouse.memory() as warehouse:
        load(warehouse, rankings, judgments)
        queries = warehouse.report(measures, per_query=True)
        runs = warehouse.report(measures)
        names = ("run", "query_id", "measure", "value")
        per_query = queries.relation.select(*names).fetchall()
        counts = ("value", "n", "answered", "unanswered", "no_relevant", "judged_at_k")
        per_run = runs.relation.select("run", "measure", *counts).fetchall()
    return {row[:3]: row[3:] for row in per_query}, {
        row[:2]: row[2:] for row in per_run
    }


def load(warehouse: Warehouse, rankings: Rows, judgments: Rows) -> None:
    """Load the rows of all runs and judgments."""
    columns = ["query_id", "doc_id", "grade"]
    warehouse.load_judgments(pd.DataFrame(judgments, columns=columns), "j")
    columns = ["query_id", "doc_id", "score"]
    for run in dict.fromkeys(row[3] for row in rankings):
        rows = [row[:3] for row in rankings if row[3] == run]
        warehouse.load_run(pd.DataFrame(rows, columns=columns), run)


def check_equal(found: dict[Any, Any], wished: dict[Any, Any]) -> None:
    """Check that two sets of values differ by at most 1e-9."""
    assert found.keys() == wished.keys()
    wrong = [
        (key, row, wished[key])
        for key, row in found.items()
        if not all(
            (one is None) == (other is None)
            and (one is None or math.isclose(one, other, rel_tol=0, abs_tol=1e-9))
            for one, other in zip(row, wished[key], strict=True)
        )
    ]
    assert not wrong, wrong[:5]
