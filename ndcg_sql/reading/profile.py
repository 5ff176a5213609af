"""What the first rows of a file look like: its text, its columns, their content.

A profile reads a bounded part of a file, whatever its size: the beginning, and of plain
text a piece of the middle and of the end, where another run may stand. It decides
nothing: proposals are made of it.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, pairwise
from json import JSONDecoder
from typing import Any, cast

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import Kind, folded, of_header, words_for
from ndcg_sql.reading.detection import format_of
from ndcg_sql.reading.formats.delimited import head_of
from ndcg_sql.reading.formats.excel import rows_of_sheet
from ndcg_sql.reading.formats.parquet import is_nested
from ndcg_sql.reading.json_text import items
from ndcg_sql.reading.layouts import Format, Reading, ReadRequest, glob_safe
from ndcg_sql.reading.nested import leaves
from ndcg_sql.reading.scanning import WINDOWS
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import number, sql_name

# How many bytes and rows of the beginning, the middle and the end are looked at.
_BEGINNING = 1 << 19
_PIECE = 1 << 17
_ROWS = 2000
# Lines of so many fields, separated by blanks, are those of TREC.
WIDTHS: Mapping[int, Kind] = {4: "judgments", 6: "run"}
# How many lines show what separates their fields.
_LINES = 20
_GROUPS = r"[1-9]\d{0,2}(\.\d{3})"
_COMMA = re.compile(rf"[+-]?((\d+|{_GROUPS}+),\d+([eE][+-]?\d+)?|{_GROUPS}{{2,}})")
_WHOLE = re.compile(r"\d+([.,]0+)?")
_POINTS = re.compile(rf"[+-]?{_GROUPS}+(,\d*)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
# The share of values that decides what a column holds.
_NEARLY_ALL = 0.9
# What a list of objects begins with, also as the only member of an object.
_LIST = re.compile(r'\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[')
# Numbers keep the digits of the file.
_DECODER = JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


@dataclass
class ColumnProfile:
    """A column of the first rows: its values, empty where a row has none.

    Of a list, values are those of all lists, rows the numbers of their rows, and key
    is the name of the list, which that of a value in its objects begins with.
    """

    name: str
    values: list[str] = field(default_factory=list[str])
    rows: list[int] = field(default_factory=list[int])
    key: str = ""

    @property
    def is_list(self) -> bool:
        """Whether the values are those of lists."""
        return bool(self.key)

    @cached_property
    def filled(self) -> list[str]:
        """The values that are not empty, without blanks around them."""
        return [text for value in self.values if (text := value.strip())]

    @cached_property
    def texts(self) -> list[str]:
        """The different values that are not empty, in the order of the file."""
        return list(dict.fromkeys(self.filled))

    def _share(self, pattern: re.Pattern[str]) -> float:
        count = sum(bool(pattern.fullmatch(value)) for value in self.filled)
        return count / len(self.filled) if self.filled else 0.0

    @cached_property
    def numbers(self) -> list[float | None]:
        """The values as numbers, None where they are none.

        Where any has a decimal comma, points are between thousands.
        """
        if not self.commas:
            return [number(value.strip()) for value in self.values]
        plain = (v.replace(".", "").replace(",", ".") for v in self.values)
        return [number(value.strip()) for value in plain]

    @cached_property
    def commas(self) -> list[str]:
        """The numbers with decimal commas."""
        return [text for text in self.filled if _COMMA.fullmatch(text)]

    @cached_property
    def has_commas(self) -> bool:
        """Whether numbers have decimal commas, and points only between thousands."""
        dotted = (text for text in self.filled if "." in text)
        is_grouped = all(map(_POINTS.fullmatch, dotted))
        return self.is_number and bool(self.commas) and is_grouped

    @cached_property
    def is_number(self) -> bool:
        """Whether nearly all values are numbers, with points or commas."""
        count = sum(value is not None for value in self.numbers)
        return bool(self.filled) and count >= _NEARLY_ALL * len(self.filled)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all values are whole numbers."""
        return bool(self.filled) and all(map(_WHOLE.fullmatch, self.filled))

    @cached_property
    def is_decimal(self) -> bool:
        """Whether values are numbers, and not all of them whole."""
        return self.is_number and not self.is_whole

    @cached_property
    def is_date(self) -> bool:
        """Whether nearly all values are dates or times."""
        return self._share(_DATE) > _NEARLY_ALL

    @cached_property
    def length(self) -> float:
        """The mean length of a value."""
        return sum(map(len, self.filled)) / max(len(self.filled), 1)

    @cached_property
    def changes(self) -> int:
        """How often a value differs from the one before."""
        return sum(before != value for before, value in pairwise(self.values))

    @property
    def is_sorted(self) -> bool:
        """Whether the rows of each value, mostly several, follow each other."""
        return self.changes + 1 == len(self.texts) < len(self.values) / 1.5

    def _steps_within(self, query: "ColumnProfile") -> list[tuple[float, float]]:
        """Return the numbers before and after each step within a query."""
        if len(query.values) != len(self.values):
            return []
        rows = zip(query.values, self.numbers, strict=True)
        return [
            (before[1], after[1])
            for before, after in pairwise(rows)
            if before[0] == after[0] and before[1] is not None and after[1] is not None
        ]

    def is_rank_within(self, query: "ColumnProfile") -> bool:
        """Return whether whole numbers count up within each query."""
        steps = self._steps_within(query) if self.is_whole and not self.is_list else []
        return bool(steps) and sum(b + 1 == a for b, a in steps) > 0.98 * len(steps)

    def falling_within(self, query: "ColumnProfile") -> float:
        """Return the share of steps within a query in which numbers fall."""
        steps = self._steps_within(query)
        return sum(after <= before for before, after in steps) / max(len(steps), 1)


@dataclass
class Profile:
    """The first rows of a file.

    fields are those of a request that say how it must be read: an encoding, a format.
    width is the number of fields on every line, if blanks separate them; twice are the
    names that several columns have, which cannot be named.
    """

    columns: dict[str, ColumnProfile]
    row_count: int
    fields: dict[str, str] = field(default_factory=dict[str, str])
    width: int = 0
    twice: tuple[str, ...] = ()


def profile_of(source: Source, kind: Kind, reading: Reading) -> Profile | None:
    """Return the profile of a file; None if it has no columns, or cannot be read."""
    if source.binary == "parquet":
        return _of_parquet(source)
    try:
        if source.binary:
            rows = ([*map(str, row)] for _, row in rows_of_sheet(source))
            return _of_rows(next(rows, list[str]()), [islice(rows, _ROWS)], {})
        pieces, fields = _texts(source, reading)
        source = _beginning(source, pieces[0])
        reading = replace(reading, encoding=None)
        form = format_of(source, kind, reading)
        if form.name.startswith("json"):
            return _of_json(pieces, fields, form.name == "jsonl")
        other, blanks = _delimited(pieces[0]), _of_blanks(pieces[0], fields)
        is_trec = blanks is not None and blanks.width in WIDTHS and other != "tsv"
        if other and not is_trec and form.name in ("trec", "msmarco"):
            fields["format_in"] = other
            form = format_of(source, kind, replace(reading, format_in=other))
        if form.delimiters and is_trec and not other:
            fields["format_in"] = "trec"
        elif form.delimiters:
            if reading.decimal is None and other == "csv" and ";" in pieces[0]:
                # A comma beside semicolons is a decimal mark.
                reading = replace(reading, decimal=",")
            request = ReadRequest(kind, reading)
            return _of_delimited(source, form, request, pieces, fields)
    except (NdcgSqlError, csv.Error, OSError):
        return None
    return blanks


def _texts(source: Source, reading: Reading) -> tuple[list[str], dict[str, str]]:
    """Return the beginning of a text, whole lines of its middle and end, and fields.

    The fields name the encoding, if it must be known.
    """
    pieces: list[bytes] = []
    size = source.original.stat().st_size
    places = [(0, _BEGINNING)]
    if size > _BEGINNING + 2 * _PIECE:
        places += [(size // 2, _PIECE), (size - _PIECE, _PIECE)]
    with source.original.open("rb") as file:
        for place, length in places:
            file.seek(place)
            piece = file.read(length)
            start = piece.find(b"\n") + 1 if place else 0
            end = piece.rfind(b"\n") + 1 if place + length < size else len(piece)
            pieces.append(piece[start:end])
    encoding = reading.encoding
    fields: dict[str, str] = {}
    if encoding is None and any(fault.is_windows for fault in source.faults):
        encoding = fields["encoding"] = WINDOWS
    texts = [piece.decode(encoding or "utf-8", "replace") for piece in pieces]
    return [text.removeprefix("\ufeff") for text in texts], fields


def _delimited(text: str) -> str | None:
    """Return the format of lines that have as many delimiters each, if it is one."""
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    for delimiter, name in (("\t", "tsv"), (";", "csv"), (",", "csv")):
        counts = {line.count(delimiter) for line in lines}
        if len(counts) == 1 and counts.pop():
            return name
    return None


def _beginning(source: Source, text: str) -> Source:
    """Return the beginning of a text as a source, in UTF-8."""
    path = source.folder / "beginning"
    path.write_text(text, encoding="utf-8", newline="")
    return replace(source, original=path, readable=path, faults=())


def _of_delimited(
    source: Source,
    form: Format,
    request: ReadRequest,
    pieces: list[str],
    fields: dict[str, str],
) -> Profile:
    head = head_of(source, request, form.delimiters)
    lines = pieces[0].splitlines()
    line = lines[head.line - 1] if head.is_stated else lines[head.line]
    header = next(csv.reader([line], delimiter=head.delimiter), list[str]())
    names = head.names
    values = ColumnProfile("", header)
    is_data = head.is_stated and any(one is not None for one in values.numbers)
    # No name of a column is a sentence.
    is_text = len(header) == 2 and head.delimiter == "\t" and header[1].count(" ") > 1
    is_named = of_header(header, request.kind) & {"query_id", "doc_id"}
    if (is_data or is_text) and head.is_stated and not is_named:
        # Without a header, columns have numbers.
        names = [str(place) for place in range(1, len(header) + 1)]
        lines = ["", *lines]
        fields |= {"format_in": "msmarco"} if is_text else {}
    below = [lines[head.line :], *(piece.splitlines() for piece in pieces[1:])]
    rows = [islice(csv.reader(one, delimiter=head.delimiter), _ROWS) for one in below]
    return _of_rows(names, rows, fields)


def _of_rows(
    names: list[str], pieces: Iterable[Iterable[list[str]]], fields: dict[str, str]
) -> Profile:
    """Return the profile of rows that have a field for each name."""
    counts = Counter(name for name in names if name.strip())
    rows = (
        {name: cell for name, cell in zip(names, row, strict=True) if counts[name] == 1}
        for row in chain.from_iterable(pieces)
        if len(row) == len(names) and any(map(str.strip, row))
    )
    profile = _of_objects(rows, fields)
    if not profile.row_count:
        columns = {name: ColumnProfile(name) for name in counts if counts[name] == 1}
        profile = replace(profile, columns=columns)
    return replace(profile, twice=tuple(n for n in counts if counts[n] > 1))


def _of_objects(rows: Iterable[Mapping[str, Any]], fields: dict[str, str]) -> Profile:
    """Return the profile of objects, by the paths to what they hold."""
    columns: dict[str, ColumnProfile] = {}
    count = 0
    for count, row in enumerate(rows, 1):
        for name, value, key in leaves(row):
            column = columns.setdefault(name, ColumnProfile(name))
            column.key = column.key or key
            column.values.append(_as_text(value))
            column.rows.append(count)
    return Profile(columns, count, fields)


def _of_blanks(text: str, fields: dict[str, str]) -> Profile | None:
    """Return the profile of lines whose fields blanks separate, by their places."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if len({*map(len, rows)}) != 1:
        return None
    width = len(rows[0])
    names = [str(place) for place in range(1, width + 1)]
    return replace(_of_rows(names, [rows], fields), width=width)


def _of_parquet(source: Source) -> Profile | None:
    """Return the profile of a Parquet file: of its first, middle and last rows."""
    read = "read_parquet($path, hive_partitioning = false, file_row_number = true)"
    parameters: dict[str, Any] = {"path": glob_safe(source.readable)}
    with in_memory() as connection:
        try:
            described = connection.execute(f"describe from {read}", parameters)
            types = {str(row[0]): str(row[1]) for row in described.fetchall()}
            sql = "select sum(num_rows) from parquet_file_metadata($path)"
            [(count,)] = connection.execute(sql, parameters).fetchall()
            del types["file_row_number"]
            names = [name for name, type_ in types.items() if type_ != "BLOB"]
            # What is nested is JSON, and its paths have names.
            texts = ", ".join(
                f"cast({f'to_json({n})' if is_nested(types[name]) else n} as varchar)"
                for name in names
                if (n := sql_name(name))
            )
            starts = [0] if count <= 3 * _ROWS else [0, count // 2, count - _ROWS]
            pieces = [
                connection.execute(
                    f"select {texts} from {read}"
                    f" where file_row_number between {start} and {start + _ROWS - 1}",
                    parameters,
                ).fetchall()
                for start in starts
            ]
        except duckdb.Error:
            return None
    rows = [[["" if v is None else str(v) for v in row] for row in p] for p in pieces]
    return _of_rows(names, rows, {})


def _of_json(
    pieces: list[str], fields: dict[str, str], has_lines: bool
) -> Profile | None:
    """Return the profile of objects, one a line or in a list."""
    values = _lines(pieces) if has_lines else _items(pieces[0])
    rows = (cast("dict[str, Any]", row) for row in values if isinstance(row, dict))
    profile = _of_objects(rows, fields)
    return profile if profile.row_count else None


def _lines(pieces: list[str]) -> Iterator[Any]:
    """Yield the values of lines."""
    for piece in pieces:
        for line in islice(piece.splitlines(), _ROWS):
            with suppress(ValueError, RecursionError):
                yield _DECODER.decode(line)


def _items(text: str) -> Iterator[Any]:
    """Yield the first items of a list, also of the only one of an object.

    A document of another form has its own names.
    """
    begin = _LIST.match(text)
    if not begin or (begin[1] and folded(begin[1]) not in words_for("rows")):
        return
    with suppress(ValueError, RecursionError):
        yield from islice(items(text, begin.end(), _DECODER), _ROWS)


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
