"""Excel workbooks (.xlsx) with one table, read by python-calamine."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import islice
from typing import Any

from ndcg_sql.reading import records
from ndcg_sql.reading.compression import check_parts
from ndcg_sql.reading.layouts import BYTES, NO, Format, Layout, ReadRequest
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import looked_into
from ndcg_sql.reading.scanning import Fault
from ndcg_sql.reading.sources import Source, no_rows
from ndcg_sql.text import listed

# Excel stores numbers as doubles, and 15 digits of them.
_EXACT = 10**15
_IDS = ("query_id", "doc_id")


def _layout(source: Source, request: ReadRequest) -> Layout:
    """Read the cells of the only sheet with rows, of which the first is the header."""
    rows = rows_of_sheet(source)
    header = [str(name) for _, row in islice(rows, 1) for name in row]
    if not header:
        raise no_rows(source)
    while not header[-1]:
        header.pop()
    source, expected = replace(source, unit="row"), f"{len(header)} as in the header"
    if names := looked_into(header, request, ()):
        fields = _fields(rows, len(header), {})
        objects = records.objects(fields, header, names, expected)
        return records.layout(source, request, objects)
    how = understood(source, request, header)
    columns = {place: column for column, place in how.fields.items()}
    fields = _fields(rows, len(header), columns)
    source = records.with_records(source, fields)
    return replace(how, expected=expected).of_records(source)


def rows_of_sheet(source: Source) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows with cells of the only sheet that has any, with their numbers."""
    try:
        calamine: Any = import_module("python_calamine")
    except ImportError:
        raise source.error(
            "an Excel workbook; to read it: pip install"
            " 'ndcg-sql[excel]', or save the table as CSV"
        ) from None
    check_parts(source.readable, source.shown)
    try:
        with calamine.CalamineWorkbook.from_path(str(source.readable)) as book:
            sheets = [book.get_sheet_by_name(name) for name in book.sheet_names]
    except Exception as error:
        # The library has an error for each part that can be damaged.
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise source.error(
            f"the Excel file cannot be read ({reason}); save the table as CSV"
        ) from error
    filled = [sheet for sheet in sheets if sheet.start is not None]
    if len(filled) > 1:
        names = listed((sheet.name for sheet in filled), 5)
        raise source.error(
            f"{len(filled)} sheets have rows ({names}); keep one, or save it as CSV"
        )
    for sheet in filled:
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if any(cell != "" for cell in row):
                yield number, row


def _fields(
    rows: Iterable[tuple[int, list[Any]]], width: int, columns: Mapping[int, str]
) -> Iterator[tuple[int, list[str]] | Fault]:
    """Read the cells of each row as text; a row that is not valid is a fault."""
    for number, row in rows:
        while len(row) > width and row[-1] == "":
            row = row[:-1]
        try:
            texts = [_text(cell, columns.get(at)) for at, cell in enumerate(row, 1)]
        except ValueError as error:
            yield Fault(number, str(error))
        else:
            yield number, [*texts, *[""] * (width - len(texts))]


def _text(cell: Any, column: str | None) -> str:
    """Return a cell as text; raise ValueError if it is an inexact id.

    A cell with an error, such as #N/A, is empty: the library reads it so.
    """
    if isinstance(cell, str):
        if "\0" in cell:
            raise ValueError("a cell contains a NUL")
        return cell
    is_whole = isinstance(cell, float) and cell.is_integer()
    if is_whole and abs(cell) < _EXACT:
        return str(int(cell))
    text = str(cell).lower() if isinstance(cell, bool) else str(cell)
    if column in _IDS:
        ids = "ids are text, or integers of at most 15 digits"
        raise ValueError(f"the {column} is {text}; {ids}")
    return text


FORMATS = (
    Format(
        "excel",
        "a workbook (.xlsx) of one sheet with a header",
        lambda request: BYTES if request.binary == "excel" else NO,
        _layout,
        ("xlsx",),
        is_binary=True,
    ),
)
