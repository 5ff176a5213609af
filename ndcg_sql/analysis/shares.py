"""The shares of judged documents in slices, kept while several measures need them."""

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import Entry

# The view of the shares.
SHARES = "slice_judged_shares"


@contextmanager
def judged_shares(database: Database, runs: Iterable[Entry]) -> Generator[None]:
    """Keep the shares of judged documents in the slices of some runs while inside.

    They are the same for many measures.
    """
    select = f"from {database.stored(SHARES)}"
    with database.temporary(SHARES, f"{select} limit 0"):
        for run in runs:
            # Only these equalities reach all tables that the view reads.
            named = {"run_id": run.id, "run": run.name}
            which = "where run_id = $run_id and run = $run"
            database.execute(f"insert into {SHARES} {select} {which}", named)
        yield
