"""Titles of documents, next to their ids."""

from collections.abc import Iterable

from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT


def keep_known(database: Database, datasets: Iterable[str]) -> None:
    """Drop the titles from the table OUTPUT if no documents were loaded."""
    documents = "from documents where list_contains($datasets, dataset) limit 1"
    if not database.execute(documents, {"datasets": sorted(set(datasets))}):
        database.execute(f"alter table {OUTPUT} drop title")
