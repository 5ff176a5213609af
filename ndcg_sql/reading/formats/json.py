"""JSON: an object a line, a list of objects, or a nested document.

The items of a document are numbered, whatever their lines.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns, layouts, records
from ndcg_sql.reading.columns import DESCRIBED
from ndcg_sql.reading.layouts import Format, ReadRequest
from ndcg_sql.reading.nested import DECODER, EMPTY, LISTED, NAMELESS, Nested, Row
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted

_FIRST_LINE = re.compile(r'\s*(\[\s*([\[{\]]|$)|\{\s*("|\}|$))')
_BY_LINE = ("jsonl", "ndjson")
_BLANKS = re.compile(r"[ \t\r\n]*")
# The lists of OpenSearch's documents, and where their queries have their texts, which
# are ids, too.
_TEXTS = {"judgmentRatings": "query", "querySetQueries": "queryText"}


def items(text: str, start: int) -> Iterator[Any]:
    """Read a list, whose bracket is before start, item by item, to the end."""
    place = _behind_blanks(text, start)
    is_over = text.startswith("]", place)
    while not is_over:
        value, place = DECODER.raw_decode(text, place)
        yield value
        place = _behind_blanks(text, place)
        is_over = text.startswith("]", place)
        if not is_over and not text.startswith(",", place):
            raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
        place = place if is_over else _behind_blanks(text, place + 1)
    place = _behind_blanks(text, place + 1)
    if place < len(text):
        raise json.JSONDecodeError("Extra data", text, place)


def _behind_blanks(text: str, place: int) -> int:
    blanks = _BLANKS.match(text, place)
    return blanks.end() if blanks else place


def _reason_of(error: Exception) -> str:
    """Return what is wrong with a JSON text."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.colno}"
    return str(error) if isinstance(error, ValueError) else "JSON nested too deeply"


def _of_lines(source: Source) -> Iterator[Row | Fault]:
    """Read the object of each line, or a fault in its place."""
    with source.text() as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    value = DECODER.decode(line.rstrip("\n"))
                except (ValueError, RecursionError) as error:
                    yield Fault(number, _reason_of(error))
                else:
                    yield _row(number, value)


def _of_document(source: Source, request: ReadRequest) -> Iterator[Row | Fault]:
    """Read the items of a list, or an object that holds rows further in."""
    if source.faults:
        return
    text = source.readable.read_text(encoding="utf-8")
    is_list = text.lstrip().startswith("[")
    number = 0
    try:
        if is_list:
            for number, item in enumerate(items(text, text.index("[") + 1), start=1):
                yield _row(number, item)
            return
        value = DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        at = f": item {number + 1}" if is_list else ""
        if isinstance(error, json.JSONDecodeError):
            at = f":{error.lineno}"
        raise NdcgSqlError(
            f"{source.shown}{at}: {_reason_of(error)}", "correct it and load it again"
        ) from None
    if not isinstance(value, dict):
        raise source.error("neither a list nor an object")
    yield from _of_object(source.shown, cast("dict[str, Any]", value), request)


def _row(number: int, value: object) -> Row | Fault:
    if not isinstance(value, dict):
        return Fault(number, "not a JSON object")
    return number, cast("dict[str, Any]", value)


def _of_object(
    shown: str, record: dict[str, Any], request: ReadRequest
) -> Iterator[Row | Fault]:
    """Read an object whose members are queries, or that has rows further in."""
    kind, nested = request.kind, Nested(request)
    text_key = next((_TEXTS[key] for key in _TEXTS if key in record), "")
    rows = _wrapped(record, request)
    if kind == "queries" and text_key and rows:
        for number, entry in enumerate(rows, 1):
            text = entry.pop(text_key, None)
            entry.pop("ratings", None)
            yield number, {"query_id": text, "text": text, **entry}
    elif nested.lead_into(record):
        yield 1, record
    elif rows:
        yield from enumerate(rows, start=1)
    elif {"query_id", "doc_id"} <= columns.of_header(record, kind):
        raise NdcgSqlError(
            f"{shown}: one object with a list for each column",
            "write a list with an object for each row",
        )
    else:
        for number, (query, value) in enumerate(record.items(), start=1):
            for row in _of_query(number, query, value, request, nested):
                if isinstance(row, Fault):
                    row = replace(row, reason=f"query {quoted(query)}: {row.reason}")
                yield row


def _wrapped(record: dict[str, Any], request: ReadRequest) -> list[dict[str, Any]]:
    """Return the rows in the only list of an object, or the object, if it is a row."""
    keys = [key for key, value in record.items() if isinstance(value, list)]
    if len(keys) != 1:
        return []
    rows: list[Any] = record[keys[0]]
    if rows and all(isinstance(row, dict) for row in rows):
        name = request.named.get("query_id", "query_id")
        has_query = "query_id" in columns.of_header(rows[0], request.kind)
        if name in rows[0] or has_query or request.kind in DESCRIBED:
            return rows
    is_row = len(record) > 1 or columns.folded(keys[0]) in columns.words_for("rows")
    return [record] if is_row else []


def _of_query(
    number: int, query: str, value: Any, request: ReadRequest, nested: Nested
) -> Iterator[Row | Fault]:
    """Read {document: number} or [document] of a query, or its text."""
    kind, column = request.kind, columns.number_of(request.kind)
    row: dict[str, Any] = {"query_id": query}
    if kind == "queries" and isinstance(value, str):
        yield number, {**row, "text": value}
    elif kind not in DESCRIBED and isinstance(value, dict):
        documents = cast("dict[str, Any]", value)
        if not documents:
            yield number, {**row, "doc_id": EMPTY}
        elif all(isinstance(one, list) for one in documents.values()):
            yield number, {**row, **documents}
        else:
            for document, one in documents.items():
                yield number, {**row, "doc_id": document, column: one}
    elif kind in LISTED and isinstance(value, list):
        yield from nested.rows(number, {**row, NAMELESS: value})
    elif kind == "documents":
        yield Fault(number, "expected an object of each document")
    else:
        holds = "its text" if kind == "queries" else f"a {column} of each document"
        yield Fault(number, f"expected {holds}")


def _sniff(request: ReadRequest, has_lines: bool) -> int:
    """Detect JSON by the first line and the suffix, then lines or one document."""
    is_like = bool(_FIRST_LINE.match(request.first_line))
    if not is_like and request.suffix not in ("json", *_BY_LINE):
        return layouts.NO
    if _has_lines(request) != has_lines:
        return layouts.NO
    return layouts.BRACKETS if is_like else layouts.SUFFIX


def _has_lines(request: ReadRequest) -> bool:
    """Return whether a file has an object on each line, or is one document."""
    if request.suffix in _BY_LINE:
        return True
    try:
        value = json.loads(request.first_line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, Any]", value)
    if request.kind == "queries" and not request.reading.columns:
        is_nested = "query_id" not in columns.of_header(members, request.kind)
    else:
        is_nested = all(isinstance(member, dict | list) for member in members.values())
    return not is_nested and not any(key in members for key in _TEXTS)


FORMATS = (
    Format(
        "json",
        "a list of objects, {query: {document: number}}, {query: [document, ...]},"
        " OpenSearch's documents",
        partial(_sniff, has_lines=False),
        lambda source, request: records.layout(
            source, request, _of_document(source, request), unit="item"
        ),
        ("json",),
    ),
    Format(
        "jsonl",
        "an object on each line: a document, or a query with a list of documents",
        partial(_sniff, has_lines=True),
        lambda source, request: records.layout(source, request, _of_lines(source)),
        _BY_LINE,
    ),
)
