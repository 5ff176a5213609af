"""JSON files as objects: one a line, a list of them, or a nested document."""

from collections.abc import Iterator
from typing import Any, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import DESCRIBED, Kind
from ndcg_sql.reading.json_text import (
    DECODER,
    Document,
    Items,
    Members,
    NotJsonError,
    reason_of,
)
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.nested import LISTED, Empty, Paths, Row
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted

# The members that identify a nested document of judgments or queries.
NESTED = ("judgmentRatings", "querySetQueries")


def objects(
    source: Source, request: ReadRequest, has_lines: bool
) -> Iterator[Row | Fault | Empty]:
    """Read the objects of a file, or a fault in place of each invalid one.

    With has_lines, each line holds an object. A document whose bytes have faults has
    none.
    """
    if has_lines:
        with source.readable.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _of_line(number, line)
        return
    if source.faults:
        # A text with blanked lines is no document; its faults are reported instead.
        return
    document = Document(source.readable.read_text(encoding="utf-8"))
    try:
        yield from _of_document(document, request)
        document.end()
    except NotJsonError as error:
        yield error.fault
    except RecursionError:
        yield Fault(document.line(), "JSON nested too deeply")


def _of_line(number: int, line: str) -> Row | Fault:
    try:
        value: Any = DECODER.decode(line.rstrip("\n"))
    except ValueError as error:
        return Fault(number, reason_of(error))
    except RecursionError:
        return Fault(number, "JSON nested too deeply")
    if not isinstance(value, dict):
        return Fault(number, "not a JSON object")
    return number, cast("dict[str, Any]", value)


def _of_document(
    document: Document, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read a list of objects, or an object that holds rows further in."""
    if document.next_character() == "[":
        for line, item in document.items():
            if isinstance(item, Members):
                yield line, item
            else:
                yield Fault(line, "not a JSON object")
        return
    line = document.line()
    record = document.value()
    if not isinstance(record, Members):
        raise NotJsonError(line, "neither a list nor an object")
    paths = Paths(request)
    if "judgmentRatings" in record:
        yield from _opensearch_judgments(line, record, request.kind)
    elif "querySetQueries" in record:
        for line_of_query, entry in _inside(line, record, "querySetQueries"):
            # A query's text is its id.
            text = entry.pop("queryText", None)
            yield line_of_query, {"query_id": text, "text": text, **entry}
    elif paths.lead_into(record):
        yield line, record
    else:
        yield from _by_query(record, request.kind, paths)


def _inside(line: int, record: dict[str, Any], key: str) -> Iterator[Row]:
    """Read the objects of a list that an object has under a key."""
    items = record.get(key)
    if not isinstance(items, Items):
        raise NotJsonError(line, f'"{key}" is not a list')
    for line_of_item, item in zip(items.lines, items, strict=True):
        if not isinstance(item, Members):
            raise NotJsonError(line_of_item, f'"{key}" is not a list of objects')
        yield line_of_item, item


def _by_query(
    record: Members, kind: Kind, paths: Paths
) -> Iterator[Row | Fault | Empty]:
    """Read {query: {document: number}} and {query: [document]}.

    Where queries are loaded, read {query: text}.
    """
    column = columns.number_of(kind)
    if {"query_id", "doc_id"} <= columns.of_header(record, kind):
        raise NotJsonError(
            next(iter(record.lines.values())),
            "one object with a list for each column; write a list"
            " with an object for each row",
        )
    for query, documents in record.items():
        line = record.lines[query]
        if kind == "queries" and isinstance(documents, str):
            yield line, {"query_id": query, "text": documents}
        elif kind not in DESCRIBED and isinstance(documents, Members):
            if not documents:
                yield Empty({"query_id": query})
            for document, number in documents.items():
                row = {"query_id": query, "doc_id": document, column: number}
                yield documents.lines[document], row
        elif kind in LISTED and isinstance(documents, Items):
            listed = {"query_id": query, "documents": documents}
            for row in paths.rows(line, listed):
                if isinstance(row, Fault):
                    yield Fault(row.line, f"query {quoted(query)}: {row.reason}")
                else:
                    yield row
        else:
            holds = "its text" if kind == "queries" else f"a {column} of each document"
            reason = f"query {quoted(query)}: expected {holds}"
            if kind == "documents":
                reason = "not a list of objects"
            yield Fault(line, reason)


def _opensearch_judgments(
    line: int, record: Members, kind: Kind
) -> Iterator[Row | Empty]:
    """Read judgments in OpenSearch's import format; a query's text is its id."""
    for line_of_query, entry in _inside(line, record, "judgmentRatings"):
        query = entry.get("query")
        if kind == "queries":
            yield line_of_query, {"query_id": query, "text": query}
            continue
        ratings = list(_inside(line_of_query, entry, "ratings"))
        if not ratings:
            yield Empty({"query_id": query})
        for line_of_rating, rating in ratings:
            document, grade = rating.get("docId"), rating.get("rating")
            yield (
                line_of_rating,
                {"query_id": query, "doc_id": document, "grade": grade},
            )
