"""Known documents: what the queries of a recommender, users, have met before."""

from pathlib import Path

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import store_anew
from ndcg_sql.loading import matches
from ndcg_sql.loading.described import (
    is_unknown,
    staged,
    warn_unknown,
    warn_unknown_rows,
)
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.removing import NEEDS, forget
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.loading import LoadKnownRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Wording

_UNKNOWN = ("warnings/unknown_queries", "warnings/unknown_known")


def load(
    database: Database,
    path: Path,
    request: LoadKnownRequest,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of documents that queries know; return how many.

    Rows of the same query and document are counted together. What was stored of them is
    replaced; other known documents stay, unless replace removes all of the dataset
    first. Values without known documents are stored anew. streams holds the file if it
    is already open. If anything is wrong with the file, raises NdcgSqlError and stores
    nothing.
    """
    named = {"dataset": request.dataset}
    with staged(database, "known", path, request, messages, streams):
        if request.replace:
            forget(database, "known", request.dataset)
        for file in ("old_known_documents", "known_documents"):
            database.run(f"store/{file}", named)
        store_anew(database, request.dataset, NEEDS["known"])
        [(rows, pairs, queries)] = database.run("lookups/staged_known")
        unknown = database.execute(sql_files.composed(_UNKNOWN), named)
        is_new = is_unknown(database, request.dataset)
        others, disjoint = "", list[Wording]()
        if not is_new:
            disjoint = matches.of_described(
                database, request.dataset, "known document", with_stored=False
            )
            if unknown and unknown[0][1] == queries:
                first = unknown[0][-1]
                others = matches.of_other_queries(database, request.dataset, first)
    messages.tell(
        f"loaded {counted(pairs, 'known document')} of"
        f" {counted(queries, 'query', 'queries')} of dataset {quoted(request.dataset)}"
        + ", which replace the others"
        * request.replace
    )
    if rows > pairs:
        repeat = "repeats" if rows - pairs == 1 else "repeat"
        messages.tell(
            f"{counted(rows - pairs, 'row')} {repeat} a document of a query; its rows"
            " are counted together"
        )
    if is_new:
        warn_unknown(messages, request.dataset)
    else:
        warn_unknown_rows(messages, unknown, "row", others)
    for warning in disjoint:
        messages.warn(warning)
    outcome = "replaced" if request.replace else "loaded"
    return LoadedItem("known", None, outcome, pairs, queries)
