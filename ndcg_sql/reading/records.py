"""Objects as records: their values as text, in rows that SQL reads."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from json.encoder import encode_basestring
from typing import Any, Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import COLUMNS, check_once
from ndcg_sql.reading.json_text import Number
from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import Empty, Order, Paths, Row, leaves
from ndcg_sql.reading.scanning import Fault, too_long
from ndcg_sql.reading.sources import Source, blaming
from ndcg_sql.text import unstorable
from ndcg_sql.wording import FILE, Text, call, use

# Reads the objects of a file, with a fault in place of each that is none.
Read = Callable[[], Iterator[Row | Fault | Empty]]
_HAS = "the fields are"
# How many objects show what a file has, where a path leads to nothing.
_SHOWN = 1000
_BLOCK = 10_000


def layout(
    source: Source,
    request: ReadRequest,
    read: Read,
    unit: Literal["line", "item"] | None = None,
) -> tuple[Layout, Source]:
    """Return how to read the rows of objects, rewritten as records.

    unit is what the numbers of objects count, if not the unit of the source.
    """
    paths = Paths(request)
    header: dict[str, None] = {}
    nested: set[str] = set()
    empty: list[Mapping[str, Any]] = []
    rows = ordered = 0
    for row in _expanded(read, paths):
        if isinstance(row, Empty):
            empty.append(row.query)
        elif not isinstance(row, Fault):
            _, values = row
            rows += 1
            ordered += isinstance(values.get("rank"), Order)
            header.update(dict.fromkeys(values))
            nested |= {k for k, v in values.items() if isinstance(v, list | dict)}
    is_ordered = 0 < rows == ordered
    if is_ordered and request.kind == "judgments":
        raise NdcgSqlError(
            f"{source.shown}: lists of documents without grades",
            Text(
                "if all of them are relevant: ",
                use(grade=1),
                "; if they are rankings: ",
                call("load_run", FILE),
            ),
            needs=("columns", "grade", "kind"),
        )
    missing = [name for name in paths.names if name not in header]
    if rows and missing:
        # The nearest path is one into what the objects hold.
        records = (row[1] for row in islice(read(), _SHOWN) if isinstance(row, tuple))
        inside = (leaf.path for record in records for leaf in leaves(record))
        every_name = [*dict.fromkeys((*header, *inside))]
        check_once(source.shown, missing[0], every_name, _HAS)
    # If no line is an object, the faults of the lines are reported.
    names = [*header] or [request.named.get(c, c) for c in COLUMNS[request.kind]]
    how = understood(
        source, request, names, nested=nested, has=_HAS, is_flat=True
    ).of_used()
    is_run = request.kind == "run"
    # An empty answer of a run is a record; judgments name such queries apart.
    every = _expanded(read, paths)
    kept = (row for row in every if is_run or not isinstance(row, Empty))
    query = how.column_names.get("query_id", "")
    queries = [str(v.get(query, request.reading.query)) for v in empty]
    is_judged = request.kind == "judgments"
    source = replace(
        with_records(source, _fields(kept, how)),
        empty_queries=tuple(dict.fromkeys(queries)) if is_judged else (),
        unit=unit or source.unit,
    )
    how = replace(how, is_ordered=is_ordered, has_empty=is_run and bool(empty))
    return how.of_records(source), source


def of_layout(how: Layout) -> Iterator[Row | Fault]:
    """Read the attributes of a layout as objects whose values are texts."""
    fewest, most = how.field_range
    select = sql_files.composed(how.steps)
    with in_memory() as connection:
        wanted = connection.extract_statements(select)[0].named_parameters
        parameters = {key: how.parameters[key] for key in wanted}
        rows = connection.execute(select, parameters)
        while block := rows.fetchmany(_BLOCK):
            for line, fields in block:
                if fewest <= len(fields) <= most:
                    texts = {
                        name: fields[at - 1] for name, at in how.attributes.items()
                    }
                    yield line, texts
                else:
                    reason = f"{len(fields)} fields, expected {how.expected}"
                    yield Fault(line, reason)


def _expanded(read: Read, paths: Paths) -> Iterator[Row | Fault | Empty]:
    for row in read():
        if isinstance(row, tuple):
            yield from paths.rows(*row)
        else:
            yield row


def _fields(
    rows: Iterator[Row | Fault | Empty], how: Layout
) -> Iterator[tuple[int, list[str | None]] | Fault]:
    """Yield the values of the columns of a layout as text, in place of each row.

    Where a list is empty, the document is null. A row that is not valid is a fault.
    """
    meanings = {name: column for column, name in how.column_names.items()}
    columns = [(name, meanings.get(name)) for name in how.names]
    for row in rows:
        if isinstance(row, Fault):
            yield row
            continue
        is_empty = isinstance(row, Empty)
        line, members = (row.line, row.query) if is_empty else row
        try:
            yield (
                line,
                [
                    None
                    if is_empty and column == "doc_id"
                    else _text(column, members.get(name))
                    if column
                    else _attribute(name, members.get(name))
                    for name, column in columns
                ],
            )
        except ValueError as error:
            yield Fault(line, str(error))


def with_records(
    source: Source, rows: Iterable[tuple[int, Sequence[str | None]] | Fault]
) -> Source:
    """Return a source with rows as JSON arrays: the number of each, and its fields.

    Rows that have faults, or are too long, are omitted.
    """
    faults = [*source.faults]
    # The rows may be read from the file that was written last.
    is_taken = source.readable.name == "records"
    target = source.folder / ("rows" if is_taken else "records")
    with blaming(source.shown, source.folder), target.open("wb") as records:
        for row in rows:
            if isinstance(row, Fault):
                faults.append(row)
                continue
            line, fields = row
            # json.dumps makes an encoder for each row, which takes three times as long.
            texts = ("null" if f is None else encode_basestring(f) for f in fields)
            record = f'["{line}",{",".join(texts)}]\n'.encode()
            if reason := too_long(record[:-1]):
                faults.append(Fault(line, reason))
            else:
                records.write(record)
    return replace(source, readable=target, faults=tuple(faults))


def _text(column: str, value: object) -> str:
    """Return a value of a column as text; raise ValueError if it is not a scalar."""
    if value is None:
        return ""
    if column in ("run", "clicks") and isinstance(value, bool):
        return _attribute(column, value)
    if not isinstance(value, str):
        is_nested = isinstance(value, list | dict)
        shown = "a list or an object" if is_nested else str(value).lower()
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
    if reason := unstorable(text):
        raise ValueError(f"the {name} {reason}")
    return text
