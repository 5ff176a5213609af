"""After any changes, a warehouse says what a fresh one of the same content says."""

import shutil
from pathlib import Path
from random import Random

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.system.limits import Limits
from support import exploring
from support.sequences import DATASETS, Sequence
from support.twins import Holding

STEPS = 12
COMPARED = (
    *("runs", "run_tags", "rankings", "judgment_sets", "judgments"),
    *("queries", "query_attributes", "evaluations"),
    *("query_values", "run_values", "weighted_run_values", "slice_values", "history"),
    "slice_history",
    *("run_comparisons", "slice_comparisons", "judgment_changes", "value_changes"),
    *("unjudged_documents", "run_scorecard"),
)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("number", range(exploring.amount(2, 80)))
def test_the_rows_are_those_of_a_fresh_warehouse(
    pytestconfig: pytest.Config, empty_file: Path, here: Path, number: int
) -> None:
    seed = pytestconfig.option.hypothesis_seed if exploring.EXPLORING else 0
    one = Limits(threads=1)
    changed = Path(shutil.copyfile(empty_file, here / "changed.duckdb"))
    fresh = Path(shutil.copyfile(empty_file, here / "fresh.duckdb"))
    with (
        Warehouse.write(changed, limits=one) as warehouse,
        Warehouse.write(fresh, limits=one) as filled,
    ):
        sequence = Sequence(Random(f"{seed} {number}"), warehouse, here)
        for _ in range(STEPS):
            sequence.change()
        sequence.fill(filled)
        both = (warehouse, filled)
        for each in both:
            sequence.evaluate(each)
        held = [Holding(each.connection) for each in both]
        for name in COMPARED:
            for dataset in DATASETS:
                first, second = (each.rows(f"main.{name}", dataset) for each in held)
                assert first == second, (name, sequence.steps)
        if exploring.EXPLORING:
            warehouse.check()
