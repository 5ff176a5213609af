"""Queries of judgments without documents, which would leave means silently."""

from ndcg_sql.database.database import Database
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, listed

# How many queries a warning names.
_NAMED = 5


def warnings(database: Database, source: Source) -> tuple[str, ...]:
    """Return what is said of queries that judgments name, but without a document.

    A judgment set has the queries of its judgments. What is staged may have judgments
    of such a query elsewhere.
    """
    if not source.empty_queries:
        return ()
    rows = database.execute(
        "select distinct query_id from staged where list_contains($queries, query_id)",
        {"queries": list(source.empty_queries)},
    )
    judged = {query for (query,) in rows}
    queries = [query for query in source.empty_queries if query not in judged]
    if not queries:
        return ()
    count = counted(len(queries), "query", "queries")
    are, them = ("is", "it") if len(queries) == 1 else ("are", "them")
    return (
        f"{source.shown}: {count} without documents {are} not judged, and no mean"
        f" counts {them}: {listed(queries, _NAMED)}; to count {them} as 0, judge a"
        " document with grade 0",
    )
