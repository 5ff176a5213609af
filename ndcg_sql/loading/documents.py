"""Documents: their titles and addresses, for people who read reports."""

from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import check_name, counted, quoted


def load(
    database: Database,
    path: Path,
    dataset: str,
    reading: Reading,
    messages: Messages,
    streams: sources.Streams | None = None,
    replace: bool = False,
) -> None:
    """Load a file of documents; with replace, in place of those of the dataset.

    Without replace, adds documents to the dataset; one that is stored with another
    title or address is refused. streams holds the file if it is already open. If
    anything is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    fault = check_name("dataset", dataset)
    if fault:
        raise NdcgSqlError(fault)
    named = {"dataset": dataset}
    with (
        database.transaction(),
        sources.opened(path, messages, database.folder, streams) as source,
    ):
        how, source = layout(source, "documents", reading)
        if not {"title", "text", "url"} & set(how.fields):
            raise NdcgSqlError(
                f"{source.shown}: no column for the title, the text or the url; name"
                " one: --column title=NAME"
            )
        stage(database, "documents", source, how)
        check_staged(database, "documents", source, how)
        if replace:
            sql = "delete from documents where dataset = $dataset"
            database.execute(sql, named)
        for line, document, column in database.run("lookups/changed_documents", named):
            raise NdcgSqlError(
                f"{source.shown}:{line}: document {quoted(document)} is stored with"
                f" another {column}; to replace the documents of dataset"
                f" {quoted(dataset)}: --replace"
            )
        database.run("store/documents", named)
        count = database.execute("select count(*) from staged")[0][0]
        is_new = not database.run("lookups/has_ranked", named)[0][0]
    what = f"{counted(count, 'document')} of dataset {quoted(dataset)}"
    messages.tell(f"loaded {what}{', which replace the others' * replace}")
    if is_new:
        messages.warn(
            f"dataset {quoted(dataset)} has no judgments and no runs yet;"
            " is its name misspelt?"
        )
