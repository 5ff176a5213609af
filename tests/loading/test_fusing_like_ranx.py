"""Fusion as ranx does it, where both have the method and define the value."""

import warnings
from random import Random
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.exploring import amount
from support.libraries import library

# Ours, and its name in ranx.
METHODS = {
    "sum": "sum",
    "max": "max",
    "min": "min",
    "med": "med",
    "anz": "anz",
    "mnz": "mnz",
    "weighted": "wsum",
}
PLAIN = {"rrf": "rrf", "isr": "isr", "log_isr": "log_isr", "borda": "bordafuse"}
NORMS = ("min-max", "max", "sum", "zmuv", "rank", "borda", "none")
CASES = [
    *((method, None) for method in PLAIN),
    *((method, norm) for method in METHODS for norm in NORMS),
]


def runs(seed: int) -> list[dict[str, dict[str, float]]]:
    """Return three runs without ties, each with all queries.

    ranx leaves the order of ties open, and gives equal scores other values.
    """
    random = Random(seed)
    return [
        {
            f"q{number}": {
                f"d{d}": score / 16
                for d, score in zip(
                    random.sample(range(40), size),
                    random.sample(range(1, 4000), size),
                    strict=True,
                )
            }
            for number in range(15)
            for size in [random.randint(2, 25)]
        }
        for _ in range(3)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "norm"), CASES)
def test_ranx_has_the_same_scores(method: Any, norm: Any) -> None:
    ranx: Any = library("ranx")
    weights = [0.5, 1.25, 3] if method == "weighted" else None
    for seed in range(amount(2, 20)):
        made = runs(seed)
        with warnings.catch_warnings():
            # numba's, of its own casts.
            warnings.simplefilter("ignore")
            theirs = ranx.fuse(
                runs=[ranx.Run(run, name=str(n)) for n, run in enumerate(made)],
                norm=None if norm in (None, "none") else norm,
                method={**METHODS, **PLAIN}[method],
                params={"weights": weights} if weights else None,
            ).to_dict()
        with Warehouse.memory() as warehouse:
            for number, run in enumerate(made):
                warehouse.load_run(run, str(number))
            names = ["0", "1", "2"]
            warehouse.fuse(names, "x", method=method, norm=norm, weights=weights)
            sql = "select query_id, doc_id, score from rankings where run = 'x'"
            rows = warehouse.connection.execute(sql).fetchall()
        ours: dict[str, dict[str, float]] = {}
        for query, document, score in rows:
            ours.setdefault(query, {})[document] = score
        assert ours.keys() == theirs.keys()
        for query, scores in theirs.items():
            assert ours[query] == pytest.approx(dict(scores), rel=1e-9, abs=1e-9)
