"""Queries: their texts, weights, and attributes to slice by."""

from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import weigh
from ndcg_sql.loading import asking, decimal_marks
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
from ndcg_sql.loading.removing import forget
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals import proposed
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.loading import LoadQueriesRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, harmless, listed, quoted


def load(
    database: Database,
    path: Path,
    request: LoadQueriesRequest,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of queries; every further column is an attribute.

    Return how many. For the queries of the file, its columns replace what was stored;
    other columns stay unchanged. With replace, all texts, weights and attributes of the
    dataset are removed first. streams holds the file if it is already open. If anything
    is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    dataset = request.dataset
    with staged(database, "queries", path, request, messages, streams) as (
        how,
        source,
    ):
        doubt = None
        if request.decimal is None:
            decimal_marks.check(database, source, how)
            doubt = decimal_marks.check_weights(database, source, how)
        if request.replace:
            forget(database, "queries", dataset)
        for column in ("text", "weight"):
            if column in how.fields:
                database.execute(
                    f"update queries set {column} = staged.{column} from staged"
                    " where queries.dataset = $dataset"
                    " and queries.query_id = staged.query_id",
                    {"dataset": dataset},
                )
        database.run("store/queries", {"dataset": dataset})
        former = store_attributes(database, "query", dataset, how)
        if request.replace or "weight" in how.fields:
            weigh(database, dataset)
        count = database.execute("select count(*) from staged")[0][0]
        unknown = database.run("warnings/unknown_queries", {"dataset": dataset})
        is_new = is_unknown(database, dataset)
        likely = _likely(database, dataset, how)
    what = f"{counted(count, 'query', 'queries')} of dataset {quoted(dataset)}"
    replaced = ", which replace the others" * request.replace
    messages.tell(f"loaded {what}{replaced}{_meant(how)}")
    tell_former(messages, former)
    tell_left_out(messages, how)
    if doubt:
        messages.warn(doubt)
    if likely:
        meanings = " and ".join(
            f"{quoted(name)} is the {column}" for column, name in likely.items()
        )
        argument = asking.argument_of(path, source, streams)
        way = {"columns": likely}
        again = asking.command(LoadQueriesRequest, request, argument, way)
        messages.tell(f"if {meanings} of a query: " + again)
    if is_new:
        warn_unknown(messages, dataset)
    elif unknown:
        are = "is" if len(unknown) == 1 else "are"
        messages.warn(
            f"{len(unknown)} of these queries {are} in no run and no judgment"
            f" set of the dataset: {listed((query for query, _ in unknown), 5)}"
        )
    outcome = "replaced" if request.replace else "loaded"
    return LoadedItem("queries", None, outcome, count, count)


def _likely(database: Database, dataset: str, how: Layout) -> dict[str, str]:
    """Return the attributes that are likely to be the text and the weight.

    That is by their names and values, where no column of the file is it.
    """
    attributes = {"dataset": dataset, "attributes": [*how.attributes]}
    rows = database.run("lookups/likely_texts", attributes)
    likely: dict[str, str] = {}
    weights = [name for name, _, may_be_weight in rows if may_be_weight]
    if "weight" not in how.fields and (name := proposed("weight", weights)):
        likely["weight"] = name
    texts = [name for name, may_be_text, _ in rows if may_be_text]
    others = [name for name in texts if name not in weights]
    if "text" not in how.fields and (name := proposed("text", others)):
        likely["text"] = name
    return dict(sorted(likely.items()))


def _meant(how: Layout) -> str:
    """Return which columns of a file became what, where their names do not say it."""
    parts = [
        f"{column}: {harmless(name)}"
        for column in ("text", "weight")
        if (name := how.column_names.get(column, column)) != column
    ]
    return "".join(f"; {one}" for one in parts) + attributes_of(how)
