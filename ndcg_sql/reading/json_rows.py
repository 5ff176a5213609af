"""JSON files as rows: an object a line, a list of objects, or a nested document."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import DESCRIBED, folded, words_for
from ndcg_sql.reading.json_lists import (
    LISTED,
    Order,
    Values,
    rows_of_lists,
    rows_of_object,
)
from ndcg_sql.reading.json_text import DECODER, Number, is_list_text, items, reason_of
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted

# The members that identify a nested document of judgments or queries.
NESTED = ("judgmentRatings", "querySetQueries")


@dataclass(frozen=True)
class Empty:
    """A query of judgments that names no document."""

    query: Mapping[str, Any]


# What is read: a row, a query without one, or what is wrong with a row.
_Row = dict[str, Any] | Empty | ValueError


@dataclass
class Table:
    """The rows of a JSON file, which can be read repeatedly.

    With has_lines, each line holds an object; rows of a document are numbered. header
    has all keys; nested has those with an object or a list in any row. is_ordered is
    true if all rows come from lists, whose order is a ranking. empty are the queries of
    judgments that name no document.
    """

    source: Source
    request: ReadRequest
    has_lines: bool
    header: dict[str, None] = field(default_factory=dict[str, None])
    nested: dict[str, None] = field(default_factory=dict[str, None])
    empty: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    is_ordered: bool = False

    def __post_init__(self) -> None:
        """Look at all rows; a document whose bytes have faults has none."""
        count = ordered = 0
        for _, row in self._rows():
            if isinstance(row, Empty):
                self.empty.append(row.query)
            elif isinstance(row, dict):
                count += 1
                ordered += isinstance(row.get("rank"), Order)
                self.header.update(dict.fromkeys(row))
                nested = (k for k, v in row.items() if isinstance(v, (list, dict)))
                self.nested.update(dict.fromkeys(nested))
        self.is_ordered = 0 < count == ordered

    @property
    def is_ungraded(self) -> bool:
        """Whether they are lists given as judgments, which may be rankings."""
        return self.is_ordered and self.request.kind == "judgments"

    def write(
        self, columns: dict[str, str], attributes: list[str], target: Path
    ) -> list[Fault]:
        """Write rows as JSON arrays: number, columns, attributes.

        columns maps columns to keys. Returns the faults of invalid rows, which
        are omitted.
        """
        faults: list[Fault] = []
        with target.open("w", encoding="utf-8") as records:
            for place, row in self._rows():
                try:
                    if isinstance(row, ValueError):
                        raise row
                    if isinstance(row, dict):
                        values = [_text(c, row.get(key)) for c, key in columns.items()]
                        values += [_attribute(key, row.get(key)) for key in attributes]
                        records.write(json.dumps([str(place), *values]) + "\n")
                except ValueError as error:
                    faults.append(Fault(place, reason_of(error)))
        return faults

    def _rows(self) -> Iterator[tuple[int, _Row]]:
        """Yield rows with their lines, or with their numbers in a document."""
        if self.has_lines:
            with self.source.readable.open(encoding="utf-8", newline="\n") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        for row in _rows_of_line(line, self.request):
                            yield number, row
        elif not self.source.faults:
            # A text with blanked lines is no document; its faults are reported instead.
            number, text = 0, self.source.readable.read_text(encoding="utf-8")
            try:
                for row in _rows_of_document(text, self.request):
                    number += not isinstance(row, Empty)
                    yield number, row
            except ValueError as error:
                is_text = isinstance(error, json.JSONDecodeError)
                line = f":{error.lineno}" if is_text else ""
                what = f"{self.source.shown}{line}: {reason_of(error)}"
                raise NdcgSqlError(what) from None


def _text(column: str, value: object) -> str:
    """Return a value of a column as text; raise ValueError if it is not a scalar."""
    if value is None:
        return ""
    if column in ("run", "clicks") and isinstance(value, bool):
        return _attribute(column, value)
    if not isinstance(value, str):
        shown = (
            "a list or an object"
            if isinstance(value, (list, dict))
            else str(value).lower()
        )
        raise ValueError(f"the {column} is {shown}; expected text or a number")
    is_id = column in ("query_id", "doc_id")
    if is_id and isinstance(value, Number) and not re.fullmatch("-?[0-9]+", value):
        raise ValueError(f"the {column} is {value}; ids are text or integers")
    return _clean(column, value)


def _attribute(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _clean(name, value) if isinstance(value, str) else ""


def _clean(name: str, text: str) -> str:
    """Return a text; raise ValueError if it cannot be stored."""
    if "\0" in text:
        raise ValueError(f"the {name} contains a NUL")
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise ValueError(f"the {name} contains half a character (a lone surrogate)")
    return text


def _rows_of_line(line: str, request: ReadRequest) -> Iterator[_Row]:
    """Read a line that holds one object."""
    try:
        value: Any = DECODER.decode(line.rstrip("\n"))
    except ValueError as error:
        yield error
    except RecursionError:
        yield ValueError("JSON nested too deeply")
    else:
        yield from _rows_of_item(value, request)


def _rows_of_item(item: Any, request: ReadRequest) -> Iterator[_Row]:
    """Read a line or an item of a list: a row, or a query with lists."""
    if not isinstance(item, dict):
        yield ValueError("not a JSON object")
        return
    row = cast("dict[str, Any]", item)
    try:
        rows = rows_of_object(row, request)
    except ValueError as error:
        yield error
        return
    if not rows and request.kind == "judgments":
        yield Empty(row)
    yield from rows


def _rows_of_document(text: str, request: ReadRequest) -> Iterator[_Row]:
    """Read a list of objects, or an object that holds rows further in."""
    try:
        if is_list_text(text):
            for item in items(text):
                yield from _rows_of_item(item, request)
            return
        value: Any = DECODER.decode(text)
    except RecursionError:
        raise ValueError("JSON nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("neither a list nor an object")
    record = cast("dict[str, Any]", value)
    lists = [key for key, member in record.items() if isinstance(member, list)]
    if "judgmentRatings" in record:
        yield from _opensearch_judgments(record, request)
    elif "querySetQueries" in record:
        yield from _opensearch_queries(record)
    elif len(lists) == 1 and _has_rows(record[lists[0]], request):
        for item in record[lists[0]]:
            yield from _rows_of_item(item, request)
    elif len(lists) == 1 and (len(record) > 1 or folded(lists[0]) in words_for("rows")):
        yield from _rows_of_item(record, request)
    else:
        yield from _by_query(record, request)


def _has_rows(rows: list[Any], request: ReadRequest) -> bool:
    """Return whether the items of a list are rows of their own, with their queries."""
    if not rows or not all(isinstance(row, dict) for row in rows):
        return False
    name, header = request.named.get("query_id", "query_id"), [*rows[0]]
    is_named = name in header or "query_id" in columns.of_header(header, request.kind)
    return is_named or request.kind in DESCRIBED


def _by_query(by_query: dict[str, Any], request: ReadRequest) -> Iterator[_Row]:
    """Read {query: {document: number}} and {query: [document]}.

    Where queries are loaded, read {query: text}.
    """
    kind = request.kind
    column = columns.number_of(kind)
    if {"query_id", "doc_id"} <= columns.of_header(by_query, kind):
        raise ValueError(
            "one object with a list for each column; write a list"
            " with an object for each row"
        )
    for query, documents in by_query.items():
        row = {"query_id": query}
        if kind == "queries" and isinstance(documents, str):
            yield {**row, "text": documents}
        elif kind in LISTED and isinstance(documents, list | dict) and not documents:
            yield from [Empty(row)] * (kind == "judgments")
        elif kind in LISTED and isinstance(documents, list):
            listed = Values("", cast("list[Any]", documents))
            try:
                yield from rows_of_lists(row, {"doc_id": listed}, request)
            except ValueError as error:
                yield ValueError(f"query {quoted(query)}: {error}")
        elif kind not in DESCRIBED and isinstance(documents, dict):
            numbers = cast("dict[str, Any]", documents)
            if all(isinstance(number, list) for number in numbers.values()):
                yield from _rows_of_item({**row, **numbers}, request)
                continue
            for document, number in numbers.items():
                yield {**row, "doc_id": document, column: number}
        else:
            holds = "its text" if kind == "queries" else f"a {column} of each document"
            reason = f"query {quoted(query)}: expected {holds}"
            yield ValueError("not a list of objects" if kind == "documents" else reason)


def _objects(record: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Return the objects of a list that an object has under a key."""
    objects = record.get(key)
    if not isinstance(objects, list):
        raise ValueError(f'"{key}" is not a list')
    if not all(isinstance(one, dict) for one in cast("list[Any]", objects)):
        raise ValueError(f'"{key}" is not a list of objects')
    return cast("list[dict[str, Any]]", objects)


def _opensearch_judgments(
    record: dict[str, Any], request: ReadRequest
) -> Iterator[_Row]:
    """Read judgments in OpenSearch's import format; a query's text is its id."""
    for entry in _objects(record, "judgmentRatings"):
        query = entry.get("query")
        if request.kind == "queries":
            yield {"query_id": query, "text": query}
            continue
        ratings = _objects(entry, "ratings")
        if request.kind == "judgments" and not ratings:
            yield Empty({"query_id": query})
        for one in ratings:
            document, grade = one.get("docId"), one.get("rating")
            yield {"query_id": query, "doc_id": document, "grade": grade}


def _opensearch_queries(record: dict[str, Any]) -> Iterator[_Row]:
    """Read a query set of OpenSearch; a query's text is its id."""
    for entry in _objects(record, "querySetQueries"):
        text = entry.pop("queryText", None)
        yield {"query_id": text, "text": text, **entry}
