"""Files that describe the queries or documents of a dataset, or what is known."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError, NdcgSqlError
from ndcg_sql.loading import asking, repeated, rounded_ids
from ndcg_sql.loading.options import reading_of
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.requests.loading import (
    LoadDocumentsRequest,
    LoadKnownRequest,
    LoadQueriesRequest,
)
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import check_name, harmless, listed, quoted

R = TypeVar("R", LoadQueriesRequest, LoadDocumentsRequest, LoadKnownRequest)


@contextmanager
def staged(
    database: Database,
    kind: Literal["queries", "documents", "known"],
    path: Path,
    request: R,
    messages: Messages,
    streams: sources.Streams | None,
) -> Generator[tuple[Layout, Source]]:
    """Stage the rows of a file, in a transaction that ends with the block.

    streams holds the file if it is already open. Raises NdcgSqlError if anything
    is wrong with the file or the name of the dataset.
    """
    fault = check_name("dataset", request.dataset)
    if fault:
        raise NdcgSqlError(fault)
    with (
        database.transaction(),
        sources.opened(path, messages, database.folder, streams) as source,
    ):

        def prepared(chosen: R) -> tuple[Layout, Source]:
            """Stage the rows as a request says; return how they were read."""
            how, read = layout(source, kind, reading_of(chosen))
            stage(database, kind, read, how)
            try:
                check_staged(database, kind, read, how)
            except BadRowsError as error:
                raise repeated.queries(database, read, how, error) or error from None
            return how, read

        try:
            how, read = prepared(request)
        except NdcgSqlError as error:
            raise asking.all_at_once(
                type(request),
                request,
                asking.argument_of(path, source, streams),
                error,
                prepared,
                source.shown,
            ) from None
        for warning in rounded_ids.warnings(database, source, how):
            messages.warn(warning)
        yield how, read


def is_unknown(database: Database, dataset: str) -> bool:
    """Return whether a dataset has no judgments and no runs."""
    rows = "from {} where dataset = $dataset limit 1"
    return not any(
        database.execute(rows.format(table), {"dataset": dataset})
        for table in ("runs", "judgment_sets")
    )


def warn_unknown(messages: Messages, dataset: str) -> None:
    """Warn that a dataset has nothing that the file could describe."""
    messages.warn(
        f"dataset {quoted(dataset)} has no judgments and no runs yet;"
        " is its name misspelt?"
    )


def store_attributes(
    database: Database, what: Literal["query", "document"], dataset: str, how: Layout
) -> list[str]:
    """Store the attributes of staged queries or documents, in place of earlier ones.

    A column that has another meaning in this file, such as the weight, is no attribute
    any longer. Return those that were.
    """
    meant = [name for name in how.column_names.values() if name not in how.attributes]
    key = "query_id" if what == "query" else "doc_id"
    sql = (
        f"select distinct attribute from {what}_attributes where dataset = $dataset"
        " and list_contains($attributes, attribute)"
        f" and {key} in (select {key} from staged) order by attribute"
    )
    named: dict[str, Any] = {"dataset": dataset, "attributes": meant}
    former = [attribute for (attribute,) in database.execute(sql, named)]
    old = (
        f"delete from {what}_attributes where dataset = $dataset"
        f" and attribute = $attribute and {key} in (select {key} from staged)"
    )
    for attribute in (*former, *how.attributes):
        database.execute(old, {"dataset": dataset, "attribute": attribute})
    # An empty field gives no value of the attribute.
    new = (
        f"insert into {what}_attributes (dataset, {key}, attribute, attribute_value)"
        f" select $dataset, {key}, $attribute, fields[$field] from staged"
        " where coalesce(fields[$field], '') <> ''"
    )
    for attribute, place in how.attributes.items():
        named = {"dataset": dataset, "attribute": attribute, "field": place}
        database.execute(new, named)
    return former


def tell_former(messages: Messages, former: Sequence[str]) -> None:
    """Tell which attributes an earlier file gave that are none any longer."""
    if former:
        are = "is no attribute" if len(former) == 1 else "are no attributes"
        messages.tell(f"{listed(former)} {are} of them any longer")


def attributes_of(how: Layout) -> str:
    """Return which columns of a file are attributes, for what load says."""
    if not how.attributes:
        return ""
    noun = "attribute" if len(how.attributes) == 1 else "attributes"
    return f"; {noun}: {', '.join(map(harmless, how.attributes))}"


def tell_left_out(messages: Messages, how: Layout) -> None:
    """Tell which columns of a file cannot be attributes."""
    if how.left_out:
        messages.tell(
            f"omitted {listed(how.left_out)}: an attribute is a single text or number"
        )


def warn_unknown_rows(
    messages: Messages,
    unknown: Sequence[Sequence[Any]],
    noun: str,
    others: str = "",
) -> None:
    """Warn of rows whose queries are in no run and no judgment set of the dataset.

    unknown are the first of these queries, each with how many rows and queries there
    are in all; others says what the queries of the dataset are like.
    """
    if not unknown:
        return
    rows, count, _ = unknown[0]
    names = listed((query for *_, query in unknown), 5)
    more = ", ..." if count > len(unknown) else ""
    are = f"{noun} is" if rows == 1 else f"{noun}s are"
    what = "a query that is" if count == 1 else f"{count} queries that are"
    messages.warn(
        f"{rows} {are} of {what} in no run and no judgment set of the"
        f" dataset: {names}{more}" + (others and f"; {others}")
    )
