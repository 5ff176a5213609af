"""JSON files as objects: one a line, a list of them, or a nested document."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import DESCRIBED, Kind
from ndcg_sql.reading.json_text import DECODER, Document, NotJsonError, reason_of
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.nested import LISTED, NAMELESS, Empty, Paths, Row
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
    return _of_value(number, value)


def _of_value(line: int, value: object) -> Row | Fault:
    if not isinstance(value, dict):
        return Fault(line, "not a JSON object")
    return line, cast("dict[str, Any]", value)


def _of_document(
    document: Document, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read a list of objects, or an object that holds rows further in."""
    if document.next_character() == "[":
        for line, item in document.items():
            yield _of_value(line, item)
        return
    if document.next_character() != "{":
        raise NotJsonError(document.line(), "neither a list nor an object")
    lines: dict[str, int] = {}
    record: dict[str, Any] = {}
    for line, key, value in document.members():
        lines[key], record[key] = line, value
    paths = Paths(request)
    first = min(lines.values(), default=1)
    if "judgmentRatings" in record:
        yield from _opensearch_judgments(first, record, request.kind)
    elif "querySetQueries" in record:
        for entry in _inside(first, record, "querySetQueries"):
            # A query's text is its id.
            text = entry.pop("queryText", None)
            yield first, {"query_id": text, "text": text, **entry}
    elif paths.lead_into(record):
        yield first, record
    elif rows := _wrapped(record, request):
        yield from ((first, row) for row in rows)
    elif {"query_id", "doc_id"} <= columns.of_header(record, request.kind):
        raise NotJsonError(
            first,
            "one object with a list for each column; write a list"
            " with an object for each row",
        )
    else:
        for key, value in record.items():
            yield from _of_query(lines[key], key, value, request.kind, paths)


def _wrapped(record: dict[str, Any], request: ReadRequest) -> list[dict[str, Any]]:
    """Return the rows in the only list of an object, or the object, if it is a row."""
    keys = [key for key, value in record.items() if isinstance(value, list)]
    if len(keys) != 1:
        return []
    items: list[Any] = record[keys[0]]
    if items and all(isinstance(item, dict) for item in items):
        name = request.named.get("query_id", "query_id")
        has_query = "query_id" in columns.of_header(items[0], request.kind)
        if name in items[0] or has_query or request.kind in DESCRIBED:
            return items
    is_row = len(record) > 1 or columns.folded(keys[0]) in columns.words_for("rows")
    return [record] if is_row else []


def _inside(line: int, record: Any, key: str, where: str = "") -> list[dict[str, Any]]:
    """Return the objects of a list that an object has under a key."""
    items = record.get(key)
    if not isinstance(items, list):
        raise NotJsonError(line, f'{where}"{key}" is not a list')
    every = cast("list[object]", items)
    if not all(isinstance(item, dict) for item in every):
        raise NotJsonError(line, f'{where}"{key}" is not a list of objects')
    return cast("list[dict[str, Any]]", every)


def _of_query(
    line: int, query: str, documents: Any, kind: Kind, paths: Paths
) -> Iterator[Row | Fault | Empty]:
    """Read {document: number} or [document] of a query.

    Where queries are loaded, read its text.
    """
    column = columns.number_of(kind)
    if kind == "queries" and isinstance(documents, str):
        yield line, {"query_id": query, "text": documents}
    elif kind not in DESCRIBED and isinstance(documents, dict):
        documents = cast("dict[str, Any]", documents)
        if not documents:
            yield Empty(line, {"query_id": query})
        if documents and all(isinstance(n, list) for n in documents.values()):
            yield line, {"query_id": query, **documents}
            return
        for document, number in documents.items():
            yield line, {"query_id": query, "doc_id": document, column: number}
    elif kind in LISTED and isinstance(documents, list):
        for row in paths.rows(line, {"query_id": query, NAMELESS: documents}):
            if isinstance(row, Fault):
                yield replace(row, reason=f"query {quoted(query)}: {row.reason}")
            else:
                yield row
    else:
        holds = "its text" if kind == "queries" else f"a {column} of each document"
        reason = f"query {quoted(query)}: expected {holds}"
        yield Fault(line, "not a list of objects" if kind == "documents" else reason)


def _opensearch_judgments(
    line: int, record: dict[str, Any], kind: Kind
) -> Iterator[Row | Empty]:
    """Read judgments in OpenSearch's import format; a query's text is its id."""
    for place, entry in enumerate(_inside(line, record, "judgmentRatings"), 1):
        query = entry.get("query")
        if kind == "queries":
            yield line, {"query_id": query, "text": query}
            continue
        ratings = _inside(line, entry, "ratings", f"item {place}: ")
        if not ratings:
            yield Empty(line, {"query_id": query})
        for rating in ratings:
            document, grade = rating.get("docId"), rating.get("rating")
            yield line, {"query_id": query, "doc_id": document, "grade": grade}
