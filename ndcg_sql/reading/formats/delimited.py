"""CSV and TSV, with a header or with columns that the user numbers."""

import csv
import shlex
from dataclasses import dataclass, replace
from itertools import chain, islice
from json.encoder import encode_basestring
from pathlib import Path
from typing import ClassVar

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.format import HEADER, NO, SUFFIX, Format, Sample
from ndcg_sql.reading.layouts import Layout, ReadRequest, glob_safe
from ndcg_sql.reading.lines import first_line, stated_delimiter
from ndcg_sql.reading.meanings import FIRST, below_titles, understood
from ndcg_sql.reading.nested import is_list
from ndcg_sql.reading.scanning import LONGEST_LINE, Fault, too_long
from ndcg_sql.reading.sources import Source, blaming, no_rows
from ndcg_sql.system import progress
from ndcg_sql.text import number

csv.field_size_limit(LONGEST_LINE)
# Each row of these has a number.
_RATED = ("run", "judgments", "assessments")


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


class Delimited(Format):
    """Rows of fields, separated by one character."""

    has_columns = True
    delimiters: ClassVar[str]

    def sniff(self, sample: Sample) -> int:
        """Detect by the suffix, then by a header with a query column."""
        if sample.suffix in self.suffixes:
            return SUFFIX
        delimiter = self._delimiter(sample.first_line, None)
        header = next(csv.reader([sample.first_line], delimiter=delimiter))
        kind = sample.request.kind
        needed = "doc_id" if kind == "documents" else "query_id"
        named = set(sample.request.named.values())
        is_named = bool(named) and named <= set(header)
        if len(header) > 1 and (is_named or needed in columns.of_header(header, kind)):
            return HEADER
        if delimiter != "," and kind in _RATED and _are_names(header):
            return HEADER
        return NO

    def _delimiter(self, header: str, decimal: str | None) -> str:
        """Return the delimiter, detected from the header line.

        What marks decimals does not separate fields, if something else may.
        """
        usual, *others = self.delimiters
        for other in others:
            if other in header and (usual not in header or usual == decimal):
                return other
        return usual

    def _names(self, header: list[str]) -> list[str]:
        return header

    def head(self, source: Source, request: ReadRequest) -> Head:
        """Return the header, or the numbers of the columns that the user named so."""
        line, first = first_line(source)
        named = request.named
        # Data cannot show the delimiter: a semicolon may be part of an id.
        decimal = request.reading.decimal
        hidden = _by_number(named) and decimal != self.delimiters[0]
        visible = first.replace(";", "") if hidden else first
        delimiter = self._delimiter(visible, decimal)
        stated = stated_delimiter(source)
        if stated is not None and stated in self.delimiters:
            delimiter = stated
        header = self._names(next(csv.reader([first], delimiter=delimiter)))
        if not _is_headless(header, named):
            return Head(line, header, delimiter)
        # Rows of data contain no comments.
        line, first = first_line(source, comments=False)
        width = len(next(csv.reader([first], delimiter=delimiter)))
        names = [str(place) for place in range(1, width + 1)]
        return Head(line - 1, names, delimiter, is_stated=False)

    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Read by the names in the header; without one, by the numbers of columns."""
        header_line, _ = first_line(source)
        for fault in source.faults:
            if fault.line < header_line:
                raise NdcgSqlError(
                    f"{source.shown}:{fault.line}: {fault.reason}\n"
                    "The header cannot be found; nothing was loaded."
                    " Correct the file and load it again."
                )
        head = self.head(source, request)
        header_line, header, delimiter = head.line, head.names, head.delimiter
        elsewhere = () if head.is_stated else ("doc_id",)
        where = "in the header" if head.is_stated else "in the first line"
        expected = f"{len(header)} as {where}"
        is_whole = head.is_stated and not source.faults
        if is_whole and _is_bare(source, header_line, header):
            raise no_rows(source, " below the header")
        try:
            nested = _with_lists(source, head)
            meaning = understood(
                source, request, header, elsewhere=elsewhere, nested=nested
            )
        except NdcgSqlError:
            self._check_titles(source)
            raise
        parameters = {"delimiter": delimiter, "header_line": header_line}
        has_quotes = b'"' in source.marks
        if has_quotes:
            records = source.folder / "records"
            faults = _write_records(source, delimiter, header_line, records)
            source = replace(source, readable=records, faults=(*source.faults, *faults))
        how = meaning.layout(
            ("read/records",) if has_quotes else ("read/lines", "read/delimited"),
            {**parameters, "path": glob_safe(source.readable)},
            expected,
            apart_by="other" if has_quotes else "delimiter",
        )
        return how, source

    def _check_titles(self, source: Source) -> None:
        """Raise NdcgSqlError if titles stand above what is likely to be the header."""
        with source.readable.open(
            encoding="utf-8-sig", errors="replace", newline="\n"
        ) as file:
            lines = [line.rstrip("\r\n") for line in islice(file, FIRST)]
        tables = [
            [[*chain(*csv.reader([line], delimiter=mark))] for line in lines]
            for mark in self.delimiters
        ]
        # What separates fields makes the widest rows.
        rows = max(tables, key=lambda table: max(map(len, table), default=0))
        if place := below_titles(enumerate(rows, 1)):
            is_named = str(source.original) == source.shown
            file = shlex.quote(source.shown) if is_named else "FILE"
            raise NdcgSqlError(
                f"{source.shown}:{place}: looks like the header",
                "remove the lines above it, such as with"
                f" tail -n +{place} {file} > NEW",
            )


def _is_bare(source: Source, header_line: int, header: list[str]) -> bool:
    """Return whether nothing is below the header, and it is no line of data."""
    if any(number(name) is not None for name in header):
        return False
    with source.readable.open("rb") as lines:
        return not any(line.strip() for line in islice(lines, header_line, None))


def _with_lists(source: Source, head: Head) -> set[str]:
    """Return the columns whose first cell is a list of JSON."""
    with source.readable.open(
        encoding="utf-8-sig", errors="replace", newline="\n"
    ) as file:
        # A list of text has quotes.
        lines = islice(file, head.line, None) if b'"' in source.marks else iter(())
        row = next(csv.reader(lines, delimiter=head.delimiter), list[str]())
    cells = zip(head.names, row, strict=False)
    return {name for name, cell in cells if is_list(cell)}


def _are_names(fields: list[str]) -> bool:
    """Return whether the fields of a line can only be names: none is a number."""
    return (
        len(fields) > 2
        and all(fields)
        and len(set(fields)) == len(fields)
        and not any(number(field) is not None for field in fields)
    )


class Csv(Delimited):
    """Comma-separated values; semicolons where commas are decimal marks, or tabs."""

    name = "csv"
    help = "a header with names of columns, commas, semicolons or tabs"
    suffixes = ("csv",)
    delimiters = ",;\t"


class Tsv(Delimited):
    """Tab-separated values; commas or semicolons if there is no tab."""

    name = "tsv"
    help = "a header with names of columns, tabs"
    suffixes = ("tsv",)
    delimiters = "\t,;"


def _is_headless(first: list[str], named: dict[str, str]) -> bool:
    """Return whether the first line is data, and the user numbers its columns."""
    counted = [str(place) for place in range(len(first) + 1)]
    if first in (counted[:-1], counted[1:]):
        # Numbers that a tool wrote as a header.
        return False
    is_data = all(number(name) is not None for name in first)
    return _by_number(named) and (is_data or not set(named.values()) <= set(first))


def _by_number(named: dict[str, str]) -> bool:
    """Return whether the user names columns, and all of them by numbers."""
    return bool(named) and all(name.isdecimal() for name in named.values())


def _write_records(
    source: Source, delimiter: str, header_line: int, target: Path
) -> list[Fault]:
    """Write the rows of a CSV file with quotes as JSON arrays, one a line.

    Each array holds the number of the row's first line and its fields. Blank
    lines and everything up to the header are omitted. Returns the faults of rows
    that are not CSV.
    """
    faults: list[Fault] = []
    # Line ends inside quotes are kept as they are, unless lines were blanked.
    path = source.readable if source.faults else source.original
    with (
        blaming(source.shown, source.folder),
        path.open(encoding="utf-8-sig", newline="") as lines,
        progress.reading(lines),
        target.open("wb") as records,
    ):
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            first_line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return faults
            except csv.Error as error:
                faults.append(Fault(first_line, f"not CSV: {error}"))
                continue
            if first_line <= header_line or not any(map(str.strip, row)):
                continue
            # json.dumps makes an encoder for each row, which takes three times as long.
            fields = map(encode_basestring, (str(first_line), *row))
            record = f"[{','.join(fields)}]".encode()
            reason = too_long(record)
            if reason:
                faults.append(Fault(first_line, reason))
            else:
                records.write(record + b"\n")


FORMATS = (Csv(), Tsv())
