"""JSON files as rows: an object a line, a list of objects, or a nested document."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import DESCRIBED, Kind
from ndcg_sql.reading.json_lists import (
    LISTED,
    Named,
    Order,
    TwiceError,
    list_of,
    rows_of_list,
)
from ndcg_sql.reading.json_text import (
    DECODER,
    Document,
    Items,
    Members,
    NotJsonError,
    Number,
    reason_of,
)
from ndcg_sql.reading.layouts import ReadRequest
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted

Row = tuple[int, dict[str, Any]]
# The members that identify a nested document of judgments or queries.
NESTED = ("judgmentRatings", "querySetQueries")
# The kinds of files in which a query without documents means something.
_MAY_BE_EMPTY = ("run", "judgments")


@dataclass(frozen=True)
class Empty:
    """A query of judgments or of a run that names no document, with its line."""

    line: int
    query: Mapping[str, Any]


@dataclass(frozen=True)
class Twice(Fault):
    """A list in which a document occurs twice, with its rows."""

    rows: tuple[Row, ...] = ()


@dataclass
class Table:
    """The rows of a JSON file, which can be read repeatedly.

    With has_lines, each line holds an object. header has all keys; nested has those
    with an object or a list in any row. by_row is true if several rows of a document
    share a line, so that messages give the numbers of rows. is_ordered is true if all
    rows come from lists, whose order is a ranking. empty are the queries that name no
    document.
    """

    source: Source
    request: ReadRequest
    has_lines: bool
    header: list[str]
    nested: list[str]
    by_row: bool
    is_ordered: bool
    empty: list[Mapping[str, Any]]

    def write(
        self, columns: dict[str, str], attributes: list[str], target: Path
    ) -> list[Fault]:
        """Write rows as JSON arrays: number, columns, attributes.

        columns maps columns to keys. Returns the faults of invalid rows, which
        are omitted. The row of a query of a run without documents has null in the place
        of the document.
        """
        faults: list[Fault] = []
        number = 0
        with target.open("w", encoding="utf-8") as records:
            for row in _rows(self.source, self.request, self.has_lines):
                is_empty = isinstance(row, Empty)
                if is_empty and self.request.kind != "run":
                    continue
                number += not is_empty
                if isinstance(row, Fault):
                    faults.append(row)
                    continue
                line, members = (row.line, row.query) if is_empty else row
                place = number if self.by_row else line
                try:
                    values: list[str | None] = [
                        None
                        if is_empty and column == "doc_id"
                        else _text(column, members.get(key))
                        for column, key in columns.items()
                    ]
                    values += [_attribute(key, members.get(key)) for key in attributes]
                except ValueError as error:
                    faults.append(Fault(place, str(error)))
                else:
                    records.write(json.dumps([str(place), *values]) + "\n")
        return faults


def table(source: Source, request: ReadRequest, has_lines: bool) -> Table:
    """Return the rows of a JSON file; a document whose bytes have faults has none."""
    header: dict[str, None] = {}
    nested: dict[str, None] = {}
    lines: set[int] = set()
    empty: list[Mapping[str, Any]] = []
    rows = faults = ordered = 0
    for row in _rows(source, request, has_lines):
        if isinstance(row, Empty):
            empty.append(row.query)
            continue
        if isinstance(row, Fault):
            faults += 1
            continue
        line, values = row
        rows += 1
        ordered += isinstance(values.get("rank"), Order)
        lines.add(line)
        header.update(dict.fromkeys(values))
        nested.update(dict.fromkeys(k for k, v in values.items() if _is_nested(v)))
    by_row = len(lines) < rows and not faults and not has_lines
    is_ordered = rows > 0 and ordered == rows
    return Table(
        source,
        request,
        has_lines,
        list(header),
        list(nested),
        by_row,
        is_ordered,
        empty,
    )


def _is_nested(value: object) -> bool:
    return isinstance(value, (list, dict))


def _text(column: str, value: object) -> str:
    """Return a value of a column as text; raise ValueError if it is not a scalar."""
    if value is None:
        return ""
    if column in ("run", "clicks") and isinstance(value, bool):
        return _attribute(column, value)
    if not isinstance(value, str):
        shown = "a list or an object" if _is_nested(value) else str(value).lower()
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


def _rows(
    source: Source, request: ReadRequest, has_lines: bool
) -> Iterator[Row | Fault | Empty]:
    """Read the rows of a file, or a fault in place of each invalid row.

    Lists with a document twice are valid if the user says which place counts.
    """
    for row in _every(source, request.kind, has_lines, request.named):
        if isinstance(row, Twice) and not request.reading.is_once:
            yield from row.rows
        else:
            yield row


def _every(
    source: Source, kind: Kind, has_lines: bool, names: Mapping[str, str]
) -> Iterator[Row | Fault | Empty]:
    if has_lines:
        with source.readable.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield from _rows_of_line(number, line, kind, names)
        return
    if source.faults:
        # A text with blanked lines is no document; its faults are reported instead.
        return
    document = Document(source.readable.read_text(encoding="utf-8"))
    try:
        yield from _rows_of_document(document, kind, names)
        document.end()
    except NotJsonError as error:
        yield error.fault
    except RecursionError:
        yield Fault(document.line(), "JSON nested too deeply")


def _rows_of_line(
    number: int, line: str, kind: Kind, names: Mapping[str, str]
) -> Iterator[Row | Fault | Empty]:
    """Read a line that holds one object: a row, or a query with a list."""
    row = _row_of_line(number, line)
    if not isinstance(row, Fault) and (named := Named.of(row[1], names)):
        yield from _named_list(row[0], row[1], named, kind)
        return
    key = None if isinstance(row, Fault) else list_of(row[1], kind)
    if isinstance(row, Fault) or key is None:
        yield row
    else:
        documents = row[1].pop(key)
        yield from _listed(number, row[1], documents, kind, quoted(key))


def _named_list(
    line: int, row: dict[str, Any], named: Named, kind: Kind
) -> Iterator[Row | Fault | Empty]:
    """Read a query with a list under a name of the user's."""
    if kind in _MAY_BE_EMPTY and not row[named.key]:
        yield Empty(line, row)
    try:
        yield from named.rows(line, row, kind)
    except ValueError as error:
        yield _fault(line, quoted(named.key), error)


def _listed(
    line: int, query: dict[str, Any], documents: list[Any], kind: Kind, name: str
) -> Iterator[Row | Fault | Empty]:
    """Read a list of documents of a query; name is what messages call it."""
    if kind in _MAY_BE_EMPTY and not documents:
        yield Empty(line, query)
    try:
        yield from rows_of_list(line, query, documents, kind)
    except ValueError as error:
        yield _fault(line, name, error)


def _fault(line: int, name: str, error: ValueError) -> Fault:
    """Return what is wrong with a list that has a name."""
    reason = f"{name}: {error}"
    if isinstance(error, TwiceError):
        rows = tuple(error.rows)
        return Twice(line, reason, check="document_twice", rows=rows)
    return Fault(line, reason)


def _row_of_line(number: int, line: str) -> Row | Fault:
    try:
        value: Any = DECODER.decode(line.rstrip("\n"))
    except ValueError as error:
        return Fault(number, reason_of(error))
    except RecursionError:
        return Fault(number, "JSON nested too deeply")
    if not isinstance(value, dict):
        return Fault(number, "not a JSON object")
    return number, cast("dict[str, Any]", value)


def _rows_of_document(
    document: Document, kind: Kind, names: Mapping[str, str]
) -> Iterator[Row | Fault | Empty]:
    """Read a list of objects, or an object that holds rows further in."""
    if document.next_character() == "[":
        for line, item in document.items():
            if isinstance(item, Members):
                row = _named(item)
                if named := Named.of(row, names):
                    yield from _named_list(line, row, named, kind)
                else:
                    yield line, row
            else:
                yield Fault(line, "not a JSON object")
        return
    line = document.line()
    value = document.value()
    if not isinstance(value, Members):
        raise NotJsonError(line, "neither a list nor an object")
    record = _named(value)
    if "judgmentRatings" in record:
        yield from _opensearch_judgments(line, record, kind)
    elif "querySetQueries" in record:
        yield from _opensearch_queries(line, record)
    else:
        yield from _by_query(value, kind)


def _named(members: Members) -> dict[str, Any]:
    return {key: value for _, key, value in members}


def _objects(line: int, record: dict[str, Any], key: str) -> Iterator[Row]:
    """Read the objects of a list that an object has under a key."""
    items = record.get(key)
    if not isinstance(items, Items):
        raise NotJsonError(line, f'"{key}" is not a list')
    for line_of_item, item in items:
        if not isinstance(item, Members):
            raise NotJsonError(line_of_item, f'"{key}" is not a list of objects')
        yield line_of_item, _named(item)


def _by_query(members: Members, kind: Kind) -> Iterator[Row | Fault | Empty]:
    """Read {query: {document: number}} and {query: [document]}.

    Where queries are loaded, read {query: text}.
    """
    column = columns.number_of(kind)
    if {"query_id", "doc_id"} <= columns.of_header(
        (key for _, key, _ in members), kind
    ):
        line = members[0][0]
        raise NotJsonError(
            line,
            "one object with a list for each column; write a list"
            " with an object for each row",
        )
    for line, query, documents in members:
        if kind == "queries" and isinstance(documents, str):
            yield line, {"query_id": query, "text": documents}
        elif kind not in DESCRIBED and isinstance(documents, Members):
            if kind in _MAY_BE_EMPTY and not documents:
                yield Empty(line, {"query_id": query})
            for line_of_document, document, number in documents:
                row = {"query_id": query, "doc_id": document, column: number}
                yield line_of_document, row
        elif kind in LISTED and isinstance(documents, Items):
            query_id = {"query_id": query}
            yield from _listed(
                line, query_id, documents, kind, f"query {quoted(query)}"
            )
        else:
            holds = "its text" if kind == "queries" else f"a {column} of each document"
            reason = f"query {quoted(query)}: expected {holds}"
            if kind == "documents":
                reason = "not a list of objects"
            yield Fault(line, reason)


def _opensearch_judgments(
    line: int, record: dict[str, Any], kind: Kind
) -> Iterator[Row | Empty]:
    """Read judgments in OpenSearch's import format; a query's text is its id."""
    for line_of_query, entry in _objects(line, record, "judgmentRatings"):
        query = entry.get("query")
        if kind == "queries":
            yield line_of_query, {"query_id": query, "text": query}
            continue
        ratings = list(_objects(line_of_query, entry, "ratings"))
        if kind == "judgments" and not ratings:
            yield Empty(line_of_query, {"query_id": query})
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
