"""JSON files as rows: an object a line, a list of objects, or a nested document."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import DESCRIBED, folded, words_for
from ndcg_sql.reading.json_lists import (
    LISTED,
    Order,
    Row,
    Values,
    is_list,
    rows_of_lists,
    rows_of_object,
)
from ndcg_sql.reading.json_text import (
    DECODER,
    Document,
    Items,
    Members,
    NotJsonError,
    Number,
    members_of,
    reason_of,
)
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


@dataclass
class Table:
    """The rows of a JSON file, which can be read repeatedly.

    With has_lines, each line holds an object. header has all keys; nested has those
    with an object or a list in any row. by_row is true if several rows of a document
    share a line, so that messages give the numbers of rows. is_ordered is true if all
    rows come from lists, whose order is a ranking. empty are the queries of judgments
    that name no document.
    """

    source: Source
    request: ReadRequest
    has_lines: bool
    header: dict[str, None] = field(default_factory=dict[str, None])
    nested: dict[str, None] = field(default_factory=dict[str, None])
    empty: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    by_row: bool = False
    is_ordered: bool = False

    def __post_init__(self) -> None:
        """Look at all rows; a document whose bytes have faults has none."""
        counts: Counter[str] = Counter()
        lines: set[int] = set()
        for row in self._rows():
            if isinstance(row, Empty):
                self.empty.append(row.query)
            elif isinstance(row, Fault):
                counts["faults"] += 1
            else:
                line, values = row
                lines.add(line)
                counts["rows"] += 1
                counts["ordered"] += isinstance(values.get("rank"), Order)
                self.header.update(dict.fromkeys(values))
                nested = (k for k, v in values.items() if isinstance(v, (list, dict)))
                self.nested.update(dict.fromkeys(nested))
        is_whole = not counts["faults"] and not self.has_lines
        self.by_row = len(lines) < counts["rows"] and is_whole
        self.is_ordered = 0 < counts["rows"] == counts["ordered"]

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
            rows = (row for row in self._rows() if not isinstance(row, Empty))
            for number, row in enumerate(rows, 1):
                if isinstance(row, Fault):
                    faults.append(row)
                    continue
                place = number if self.by_row else row[0]
                try:
                    values = [_text(c, row[1].get(key)) for c, key in columns.items()]
                    values += [_attribute(key, row[1].get(key)) for key in attributes]
                except ValueError as error:
                    faults.append(Fault(place, str(error)))
                else:
                    records.write(json.dumps([str(place), *values]) + "\n")
        return faults

    def _rows(self) -> Iterator[Row | Fault | Empty]:
        """Read the rows of the file, or a fault in place of each invalid row."""
        if self.has_lines:
            with self.source.readable.open(encoding="utf-8", newline="\n") as lines:
                for number, line in enumerate(lines, start=1):
                    if line.strip():
                        yield from _rows_of_line(number, line, self.request)
            return
        if self.source.faults:
            # A text with blanked lines is no document; its faults are reported instead.
            return
        document = Document(self.source.readable.read_text(encoding="utf-8"))
        try:
            yield from _rows_of_document(document, self.request)
            document.end()
        except NotJsonError as error:
            yield error.fault
        except RecursionError:
            yield Fault(document.line(), "JSON nested too deeply")


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


def _rows_of_line(
    number: int, line: str, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read a line that holds one object."""
    try:
        value: Any = DECODER.decode(line.rstrip("\n"))
    except ValueError as error:
        yield Fault(number, reason_of(error))
    except RecursionError:
        yield Fault(number, "JSON nested too deeply")
    else:
        yield from _rows_of_item(number, value, request)


def _rows_of_item(
    line: int, item: object, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read a line or an item of a list: a row, or a query with lists."""
    row = members_of(item)
    if row is None:
        yield Fault(line, "not a JSON object")
        return
    try:
        rows = rows_of_object(line, row, request)
    except ValueError as error:
        yield Fault(line, str(error))
        return
    if not rows and request.kind == "judgments":
        yield Empty(row)
    yield from rows


def _rows_of_document(
    document: Document, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read a list of objects, or an object that holds rows further in."""
    if document.next_character() == "[":
        for line, item in document.items():
            yield from _rows_of_item(line, item, request)
        return
    line = document.line()
    value = document.value()
    if not isinstance(value, Members):
        raise NotJsonError(line, "neither a list nor an object")
    record = members_of(value) or {}
    lists = [one for one in value if is_list(one[2])]
    if "judgmentRatings" in record:
        yield from _opensearch_judgments(line, record, request)
    elif "querySetQueries" in record:
        yield from _opensearch_queries(line, record)
    elif len(lists) == 1 and _has_rows(lists[0][2], request):
        for line_of_item, item in lists[0][2]:
            yield from _rows_of_item(line_of_item, item, request)
    elif len(lists) == 1 and (
        len(value) > 1 or folded(lists[0][1]) in words_for("rows")
    ):
        yield from _rows_of_item(line, value, request)
    else:
        yield from _by_query(value, request)


def _has_rows(items: Items, request: ReadRequest) -> bool:
    """Return whether the items of a list are rows of their own, with their queries."""
    rows = [members_of(item) for _, item in items]
    if not rows or None in rows:
        return False
    name = request.named.get("query_id", "query_id")
    header = [*(rows[0] or ())]
    is_named = name in header or "query_id" in columns.of_header(header, request.kind)
    return is_named or request.kind in DESCRIBED


def _objects(line: int, record: dict[str, Any], key: str) -> Iterator[Row]:
    """Read the objects of a list that an object has under a key."""
    items = record.get(key)
    if not isinstance(items, Items):
        raise NotJsonError(line, f'"{key}" is not a list')
    for line_of_item, item in items:
        if not isinstance(item, Members):
            raise NotJsonError(line_of_item, f'"{key}" is not a list of objects')
        yield line_of_item, members_of(item) or {}


def _by_query(members: Members, request: ReadRequest) -> Iterator[Row | Fault | Empty]:
    """Read {query: {document: number}} and {query: [document]}.

    Where queries are loaded, read {query: text}.
    """
    kind = request.kind
    column = columns.number_of(kind)
    header = (key for _, key, _ in members)
    if {"query_id", "doc_id"} <= columns.of_header(header, kind):
        raise NotJsonError(
            members[0][0],
            "one object with a list for each column; write a list"
            " with an object for each row",
        )
    for line, query, documents in members:
        row = {"query_id": query}
        if kind == "queries" and isinstance(documents, str):
            yield line, {**row, "text": documents}
        elif kind in LISTED and isinstance(documents, Items):
            yield from _listed(line, row, documents, request)
        elif kind not in DESCRIBED and isinstance(documents, Members):
            if kind == "judgments" and not documents:
                yield Empty(row)
            if documents and all(is_list(number) for _, _, number in documents):
                lists = Members([(line, "query_id", query), *documents])
                yield from _rows_of_item(line, lists, request)
                continue
            for line_of_document, document, number in documents:
                yield line_of_document, {**row, "doc_id": document, column: number}
        else:
            holds = "its text" if kind == "queries" else f"a {column} of each document"
            reason = f"query {quoted(query)}: expected {holds}"
            if kind == "documents":
                reason = "not a list of objects"
            yield Fault(line, reason)


def _listed(
    line: int, row: dict[str, Any], documents: Items, request: ReadRequest
) -> Iterator[Row | Fault | Empty]:
    """Read the list of documents of a query."""
    if request.kind == "judgments" and not documents:
        yield Empty(row)
        return
    try:
        yield from rows_of_lists(row, {"doc_id": Values("", documents)}, request)
    except ValueError as error:
        yield Fault(line, f"query {quoted(row['query_id'])}: {error}")


def _opensearch_judgments(
    line: int, record: dict[str, Any], request: ReadRequest
) -> Iterator[Row | Empty]:
    """Read judgments in OpenSearch's import format; a query's text is its id."""
    for line_of_query, entry in _objects(line, record, "judgmentRatings"):
        query = entry.get("query")
        if request.kind == "queries":
            yield line_of_query, {"query_id": query, "text": query}
            continue
        ratings = list(_objects(line_of_query, entry, "ratings"))
        if request.kind == "judgments" and not ratings:
            yield Empty({"query_id": query})
        for line_of_rating, rating in ratings:
            document, grade = rating.get("docId"), rating.get("rating")
            yield (
                line_of_rating,
                {"query_id": query, "doc_id": document, "grade": grade},
            )


def _opensearch_queries(line: int, record: dict[str, Any]) -> Iterator[Row]:
    """Read a query set of OpenSearch; a query's text is its id."""
    for line_of_query, entry in _objects(line, record, "querySetQueries"):
        text = entry.pop("queryText", None)
        yield line_of_query, {"query_id": text, "text": text, **entry}
