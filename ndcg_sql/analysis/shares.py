"""The shares of judged documents in slices, kept while several measures need them."""

from collections.abc import Iterable

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import Entry

# The view of the shares.
SHARES = "slice_judged_shares"


def bring_shares(database: Database, runs: Iterable[Entry]) -> None:
    """Copy the shares of judged documents in the slices of some runs.

    They go into the temporary table that hides their view: they are the same for many
    measures.
    """
    for run in runs:
        # Only these equalities reach all tables that the view reads.
        named = {"run_id": run.id, "run": run.name}
        database.bring(SHARES, "where run_id = $run_id and run = $run", named)
