"""What a run is, and what of it is judged."""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.evaluation.entries import choose_entry, judgment_sets, judgments_of
from ndcg_sql.evaluation.external import external_runs


@contextmanager
def describe(
    database: Database, run: str, judgments: str | None, dataset: str | None
) -> Generator[None]:
    """Put a description of a run into the table OUTPUT while inside.

    Without any judgments in the dataset, what depends on them is null.
    """
    entry = choose_entry(database, "run", run, dataset)
    judgment_set_id = None
    external = external_runs(database).get(entry.id)
    if external and judgments is None:
        judgments = external.judgment_set
    if judgments or any(s.dataset == entry.dataset for s in judgment_sets(database)):
        [(_, judgment_set_id)] = judgments_of(database, [entry], judgments)
    ids = {"run_id": entry.id, "judgment_set_id": judgment_set_id}
    with output(database, "reports/description", ids):
        yield
