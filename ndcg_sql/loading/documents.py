"""Documents: their titles and addresses, for people who read reports."""

from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.described import is_unknown, staged, warn_unknown
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.removing import forget
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.loading import LoadDocumentsRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import use


def load(
    database: Database,
    path: Path,
    request: LoadDocumentsRequest,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of documents; with replace, in place of those of the dataset.

    Return how many. Without replace, adds documents to the dataset; one that is stored
    with another title or address is refused. streams holds the file if it is already
    open. If anything is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    dataset = request.dataset
    named = {"dataset": dataset}
    with staged(database, "documents", path, request, messages, streams) as (
        how,
        source,
    ):
        if not {"title", "text", "url"} & set(how.fields):
            raise NdcgSqlError(
                f"{source.shown}: no column for the title, the text or the url",
                "name one: " + use(columns={"title": "NAME"}),
            )
        if request.replace:
            forget(database, "documents", dataset)
        for line, document, column in database.run("lookups/changed_documents", named):
            raise NdcgSqlError(
                f"{source.shown}:{line}: document {quoted(document)} is stored with"
                f" another {column}",
                f"to replace the documents of dataset {quoted(dataset)}: "
                + use(replace=True),
            )
        database.run("store/documents", named)
        count = database.execute("select count(*) from staged")[0][0]
        unknown = is_unknown(database, dataset)
    what = f"{counted(count, 'document')} of dataset {quoted(dataset)}"
    messages.tell(f"loaded {what}{', which replace the others' * request.replace}")
    if unknown:
        warn_unknown(messages, dataset)
    outcome = "replaced" if request.replace else "loaded"
    return LoadedItem("documents", None, outcome, count)
