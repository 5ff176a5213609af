"""Documents: their titles and addresses for people, and attributes."""

from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import store_anew
from ndcg_sql.loading import matches
from ndcg_sql.loading.described import (
    attributes_of,
    is_unknown,
    staged,
    store_attributes,
    tell_former,
    tell_left_out,
    warn_unknown,
)
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.removing import NEEDS, forget
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.loading import LoadDocumentsRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Wording, use


def load(
    database: Database,
    path: Path,
    request: LoadDocumentsRequest,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of documents; every further column is an attribute.

    Return how many. Adds documents, titles and addresses to the dataset; a document
    that is stored with another title or address is refused. For the documents of the
    file, its attributes replace what was stored; others stay unchanged. With replace,
    all documents of the dataset are removed first. Values that need documents are
    stored anew. streams holds the file if it is already open. If anything is wrong
    with the file, raises NdcgSqlError and stores nothing.
    """
    dataset = request.dataset
    named = {"dataset": dataset}
    with staged(database, "documents", path, request, messages, streams) as (
        how,
        source,
    ):
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
        for fact in ("title", "url"):
            database.execute(
                f"update documents set {fact} = staged.{fact} from staged"
                " where documents.dataset = $dataset"
                " and documents.doc_id = staged.doc_id"
                f" and documents.{fact} is null and staged.{fact} is not null",
                named,
            )
        former = store_attributes(database, "document", dataset, how)
        store_anew(database, dataset, NEEDS["documents"])
        count = database.execute("select count(*) from staged")[0][0]
        unknown = is_unknown(database, dataset)
        disjoint: list[Wording] = []
        if not unknown:
            disjoint = matches.of_described(
                database, dataset, "document", with_stored=True
            )
    what = f"{counted(count, 'document')} of dataset {quoted(dataset)}"
    replaced = ", which replace the others" * request.replace
    messages.tell(f"loaded {what}{replaced}{attributes_of(how)}")
    tell_former(messages, former)
    tell_left_out(messages, how)
    if unknown:
        warn_unknown(messages, dataset)
    for warning in disjoint:
        messages.warn(warning)
    outcome = "replaced" if request.replace else "loaded"
    return LoadedItem("documents", None, outcome, count)
