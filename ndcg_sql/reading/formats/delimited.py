"""CSV, TSV and RecBole's atomic files: a header, or columns that the user numbers."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns, layouts, records
from ndcg_sql.reading.layouts import Format, Layout, ReadRequest, glob_safe
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import is_list, looked_into
from ndcg_sql.reading.scanning import LONGEST_LINE, Fault
from ndcg_sql.reading.sources import Source, first_line, no_rows, stated_delimiter
from ndcg_sql.system import progress
from ndcg_sql.text import number

csv.field_size_limit(LONGEST_LINE)
# Each row of these has a number.
_RATED = ("run", "judgments", "assessments")
# A name in the header of RecBole has a type.
_TYPED = re.compile(r"(.+):(?:token|float)(?:_seq)?")
# What may separate fields, the usual sign first: commas, semicolons where commas are
# decimal marks, or tabs.
_CSV, _TSV, _RECBOLE = ",;\t", "\t,;", "\t"


@dataclass(frozen=True)
class Head:
    """The header of a file: its line, the names in it, and what separates them.

    If is_stated is false, the names are the numbers of columns, and the rows begin
    below the line.
    """

    line: int
    names: list[str]
    delimiter: str
    is_stated: bool = True


def _sniff(request: ReadRequest, delimiters: str, suffix: str) -> int:
    """Detect by the suffix, then by a header with a query column."""
    if request.suffix == suffix:
        return layouts.SUFFIX
    delimiter = _delimiter(request.first_line, delimiters)
    header = next(csv.reader([request.first_line], delimiter=delimiter))
    kind = request.kind
    needed = "doc_id" if kind == "documents" else "query_id"
    named = set(request.named.values())
    is_named = bool(named) and named <= set(header)
    if len(header) > 1 and (is_named or needed in columns.of_header(header, kind)):
        return layouts.HEADER
    # The fields of a line that are all different, and no numbers, can only be names.
    is_whole = len(header) > 2 and all(header) and len(set(header)) == len(header)
    are_names = is_whole and all(number(field) is None for field in header)
    is_rated = delimiter != "," and kind in _RATED
    return layouts.HEADER if is_rated and are_names else layouts.NO


def _delimiter(header: str, delimiters: str, decimal: str | None = None) -> str:
    """Return the delimiter, detected from the header line."""
    usual, *others = delimiters
    for other in others:
        if other in header and (usual not in header or usual == decimal):
            return other
    return usual


def head_of(source: Source, request: ReadRequest, delimiters: str) -> Head:
    """Return the header, or the numbers of the columns that the user named so."""
    line, first = first_line(source)
    named = request.named
    # Data cannot show the delimiter: a semicolon may be part of an id.
    decimal = request.reading.decimal
    is_by_number = bool(named) and all(map(str.isdecimal, named.values()))
    hidden = is_by_number and decimal != delimiters[0]
    visible = first.replace(";", "") if hidden else first
    delimiter = _delimiter(visible, delimiters, decimal)
    with source.text() as lines:
        stated = stated_delimiter(next(lines, ""))
    if stated is not None and stated in delimiters:
        delimiter = stated
    header = next(csv.reader([first], delimiter=delimiter))
    if delimiters == _RECBOLE:
        header = [_TYPED.sub(r"\1", name) for name in header]
    places = [str(place) for place in range(len(header) + 1)]
    is_data = all(number(name) is not None for name in header)
    is_data = is_data or not set(named.values()) <= set(header)
    # A tool may have written numbers as a header.
    if not is_by_number or not is_data or header in (places[:-1], places[1:]):
        return Head(line, header, delimiter)
    # Rows of data contain no comments.
    line, first = first_line(source, comments=False)
    width = len(next(csv.reader([first], delimiter=delimiter)))
    names = [str(place) for place in range(1, width + 1)]
    return Head(line - 1, names, delimiter, is_stated=False)


def _layout(source: Source, request: ReadRequest, delimiters: str) -> Layout:
    """Read by the names in the header; without one, by the numbers of columns."""
    header_line, _ = first_line(source)
    for fault in source.faults:
        if fault.line < header_line:
            raise NdcgSqlError(
                f"{source.shown}:{fault.line}: {fault.reason}\n"
                "The header cannot be found; nothing was loaded."
                " Correct the file and load it again."
            )
    head = head_of(source, request, delimiters)
    with source.text() as lines:
        rows = csv.reader(islice(lines, head.line, None), delimiter=head.delimiter)
        first = next((row for row in rows if any(map(str.strip, row))), list[str]())
    is_names = all(number(name) is None for name in head.names)
    if not first and is_names and head.is_stated and not source.faults:
        raise no_rows(source, " below the header")
    # In a cell, a list of JSON is in quotes.
    cells = zip(head.names, first if source.has_quotes else (), strict=False)
    nested = {name for name, cell in cells if is_list(cell)}
    where = "in the header" if head.is_stated else "in the first line"
    expected = f"{len(head.names)} as {where}"
    if names := looked_into(head.names, request, nested):
        rows = _rows(source, head)
        objects = records.objects(rows, head.names, names, expected)
        return records.layout(source, request, objects)
    elsewhere = () if head.is_stated else ("doc_id",)
    how = understood(source, request, head.names, elsewhere=elsewhere, nested=nested)
    how = replace(how, expected=expected)
    delimiter = {"delimiter": head.delimiter}
    if source.has_quotes:
        source = records.with_records(source, _rows(source, head))
        how = how.of_records(source)
        return replace(how, parameters={**how.parameters, **delimiter})
    path = {"path": glob_safe(source.readable), "header_line": head.line}
    steps = ("read/lines", "read/delimited")
    parameters = {**path, **delimiter}
    return replace(how, steps=steps, parameters=parameters, apart_by="delimiter")


def _rows(source: Source, head: Head) -> Iterator[tuple[int, list[str]] | Fault]:
    """Read the rows below the header of a CSV file with quotes, by first lines."""
    # Line ends inside quotes are kept as they are, unless lines were blanked.
    path = source.readable if source.faults else source.original
    with path.open(encoding="utf-8-sig", newline="") as lines, progress.reading(lines):
        reader = csv.reader(lines, delimiter=head.delimiter, strict=True)
        while True:
            line = reader.line_num + 1
            try:
                row = next(reader, None)
            except csv.Error as error:
                is_open = "end of data" in str(error)
                fault = "a quote that opens here is not closed" if is_open else error
                yield Fault(line, f"not CSV: {fault}")
                continue
            if row is None:
                return
            if line > head.line and any(map(str.strip, row)):
                yield line, row


def _sniff_typed(request: ReadRequest) -> int:
    """Detect RecBole by the types of all columns."""
    is_typed = all(map(_TYPED.fullmatch, request.first_line.split("\t")))
    return layouts.FORM if is_typed else layouts.NO


def _format(name: str, delimiters: str, text: str, suffix: str = "") -> Format:
    sniff = partial(_sniff, delimiters=delimiters, suffix=name)
    return Format(
        name,
        text,
        _sniff_typed if delimiters == _RECBOLE else sniff,
        partial(_layout, delimiters=delimiters),
        (suffix or name,),
        delimiters=delimiters,
    )


FORMATS = (
    _format("csv", _CSV, "a header with names of columns, commas, semicolons or tabs"),
    _format("tsv", _TSV, "a header with names of columns, tabs"),
    _format(
        "recbole",
        _RECBOLE,
        "a header such as user_id:token item_id:token rating:float, tabs",
        "inter",
    ),
)
