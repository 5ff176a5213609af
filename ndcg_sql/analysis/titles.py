"""Titles of documents, next to their ids."""

from collections.abc import Iterable

from ndcg_sql.analysis.answers import Rows
from ndcg_sql.database.database import Database


def with_titles(database: Database, rows: Rows, datasets: Iterable[str]) -> Rows:
    """Return rows without their titles if none were loaded."""
    documents = (
        "from documents where list_contains($datasets, dataset)"
        " and title is not null limit 1"
    )
    if not database.execute(documents, {"datasets": sorted(set(datasets))}):
        return rows.without("title")
    return rows
