"""What the first rows of a file look like: its text, its columns, their content.

A profile reads a bounded part of a file, whatever its size: the beginning, and of plain
text a piece of the middle and of the end, where another run may stand. It decides
nothing: proposals are made of it.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise
from json import JSONDecoder
from pathlib import Path
from typing import Any, cast

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import Kind, folded, of_header, words_for
from ndcg_sql.reading.detection import format_of
from ndcg_sql.reading.formats.delimited import Head, head_of
from ndcg_sql.reading.formats.excel import rows_of_sheet
from ndcg_sql.reading.formats.parquet import is_nested
from ndcg_sql.reading.json_text import items
from ndcg_sql.reading.layouts import Reading, ReadRequest, glob_safe
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
_ZEROS = re.compile(r"0\d")
_WHOLE = re.compile(r"\d+([.,]0+)?")
_POINTS = re.compile(rf"[+-]?{_GROUPS}+(,\d*)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
# The share of values that decides what a column holds.
_NEARLY_ALL = 0.9
# What a list of objects begins with, also as the only member of an object.
_LIST = re.compile(r'\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[')
# Numbers keep the digits of the file.
_DECODER = JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)


class ColumnProfile:
    """A column of the first rows: its values, empty where a row has none.

    Of a list, values are those of all lists, rows the numbers of their rows, and key
    is the name of the list, which that of a value in its objects begins with. filled
    are the values that are not empty, without blanks around them, texts those that
    differ, in the order of the file, length is their mean length. commas are the
    numbers with decimal commas; where there are any, points in numbers are between
    thousands. numbers has None where values are none. Nearly all values of a number or
    a date are such; whole numbers are all whole, and decimal ones are not.
    """

    def __init__(
        self,
        name: str,
        values: Sequence[str] = (),
        rows: Sequence[int] = (),
        key: str = "",
    ) -> None:
        self.name, self.values, self.rows, self.key = name, values, rows, key
        self.is_list = bool(key)
        filled = [text for value in values if (text := value.strip())]
        self.filled = filled
        self.texts = [*dict.fromkeys(filled)]
        self.length = sum(map(len, filled)) / max(len(filled), 1)
        self.commas = [text for text in filled if _COMMA.fullmatch(text)]
        plain = values
        if self.commas:
            plain = [v.replace(".", "").replace(",", ".") for v in values]
        self.numbers = [number(value.strip()) for value in plain]
        count = sum(value is not None for value in self.numbers)
        dates = sum(bool(_DATE.fullmatch(text)) for text in filled)
        enough = _NEARLY_ALL * max(len(filled), 1)
        # Ids are what begins with a zero and is no fraction.
        has_zeros = any(map(_ZEROS.match, filled))
        self.is_number = count >= enough and not has_zeros
        self.is_date = dates > enough
        is_whole = bool(filled) and all(map(_WHOLE.fullmatch, filled))
        self.is_whole = is_whole and not has_zeros
        self.is_decimal = self.is_number and not self.is_whole
        dotted = (text for text in filled if "." in text)
        is_grouped = self.is_number and all(map(_POINTS.fullmatch, dotted))
        self.has_commas = bool(self.commas) and is_grouped
        # How often a value differs from the one before, and whether the rows of each
        # value, mostly several, follow each other.
        self.changes = sum(before != value for before, value in pairwise(values))
        is_sorted = self.changes + 1 == len(self.texts)
        self.is_sorted = is_sorted and len(self.texts) < len(values) / 1.5

    def _share_within(
        self, query: "ColumnProfile", is_step: Callable[[float, float], bool]
    ) -> float:
        """Return the share of steps within a query that are of a kind."""
        if len(query.values) != len(self.values):
            return 0
        rows = zip(query.values, self.numbers, strict=True)
        steps = [
            is_step(before, after)
            for (one, before), (other, after) in pairwise(rows)
            if one == other and before is not None and after is not None
        ]
        return sum(steps) / max(len(steps), 1)

    def is_rank_within(self, query: "ColumnProfile") -> bool:
        """Return whether whole numbers count up within each query."""
        is_whole = self.is_whole and not self.is_list
        return is_whole and self._share_within(query, lambda b, a: b + 1 == a) > 0.98

    def falling_within(self, query: "ColumnProfile") -> float:
        """Return the share of steps within a query in which numbers fall."""
        return self._share_within(query, lambda before, after: after <= before)


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
    try:
        if source.binary == "parquet":
            return _of_parquet(source)
        if source.binary:
            rows = ([*map(str, row)] for _, row in rows_of_sheet(source))
            return _of_rows(next(rows, list[str]()), [islice(rows, _ROWS)], {})
        return _of_text(source, kind, reading)
    except (NdcgSqlError, csv.Error, OSError, duckdb.Error):
        return None


def _of_text(source: Source, kind: Kind, reading: Reading) -> Profile | None:
    """Return the profile of a text, in the format that its lines have.

    Fields name it and the encoding, if they must be known.
    """
    fields: dict[str, str] = {}
    encoding = reading.encoding
    if encoding is None and any(fault.is_windows for fault in source.faults):
        encoding = fields["encoding"] = WINDOWS
    pieces = _pieces(source.original, encoding or "utf-8")
    beginning = source.folder / "beginning"
    beginning.write_text(pieces[0], encoding="utf-8", newline="")
    source = replace(source, original=beginning, readable=beginning, faults=())
    reading = replace(reading, encoding=None)
    form = format_of(source, kind, reading)
    if form.name.startswith("json"):
        values = _items(pieces[0]) if form.name == "json" else _of_lines(pieces)
        rows = (cast("dict[str, Any]", row) for row in values if isinstance(row, dict))
        profile = _of_objects(rows, fields)
        return profile if profile.row_count else None
    other, blanks = _delimited(pieces[0]), _of_blanks(pieces[0], fields)
    is_trec = blanks is not None and blanks.width in WIDTHS and other != "tsv"
    if other and not is_trec and form.name in ("trec", "msmarco"):
        fields["format_in"] = other
        form = format_of(source, kind, replace(reading, format_in=other))
    if not form.delimiters:
        return blanks
    if is_trec and not other:
        fields["format_in"] = "trec"
        return blanks
    if reading.decimal is None and other == "csv" and ";" in pieces[0]:
        # A comma beside semicolons is a decimal mark.
        reading = replace(reading, decimal=",")
    head = head_of(source, ReadRequest(kind, reading), form.delimiters)
    return _of_delimited(head, kind, pieces, fields)


def _pieces(path: Path, encoding: str) -> list[str]:
    """Return the beginning of a text, and whole lines of its middle and end."""
    pieces: list[str] = []
    size = path.stat().st_size
    places = [(0, _BEGINNING)]
    if size > _BEGINNING + 2 * _PIECE:
        places += [(size // 2, _PIECE), (size - _PIECE, _PIECE)]
    with path.open("rb") as file:
        for place, length in places:
            file.seek(place)
            piece = file.read(length)
            start = piece.find(b"\n") + 1 if place else 0
            end = piece.rfind(b"\n") + 1 if place + length < size else len(piece)
            text = piece[start:end].decode(encoding, "replace")
            pieces.append(text.removeprefix("\ufeff"))
    return pieces


def _delimited(text: str) -> str | None:
    """Return the format of lines that have as many delimiters each, if it is one."""
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    for delimiter, name in (("\t", "tsv"), (";", "csv"), (",", "csv")):
        counts = {line.count(delimiter) for line in lines}
        if len(counts) == 1 and counts.pop():
            return name
    return None


def _of_delimited(
    head: Head, kind: Kind, pieces: list[str], fields: dict[str, str]
) -> Profile:
    """Return the profile of rows below a header, or of all, if the header is data."""
    lines, names = pieces[0].splitlines(), head.names
    line = lines[head.line - 1] if head.is_stated else lines[head.line]
    header = next(csv.reader([line], delimiter=head.delimiter), list[str]())
    is_data = any(one is not None for one in ColumnProfile("", header).numbers)
    # No name of a column is a sentence.
    is_text = len(header) == 2 and head.delimiter == "\t" and header[1].count(" ") > 1
    is_named = of_header(header, kind) & {"query_id", "doc_id"}
    if head.is_stated and (is_data or is_text) and not is_named:
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
    once = [name for name in counts if counts[name] == 1]
    rows = (
        {name: cell for name, cell in zip(names, row, strict=True) if counts[name] == 1}
        for row in chain.from_iterable(pieces)
        if len(row) == len(names) and any(map(str.strip, row))
    )
    profile = _of_objects(rows, fields)
    if not profile.row_count:
        profile.columns |= {name: ColumnProfile(name) for name in once}
    profile.twice = tuple(name for name in counts if name not in once)
    return profile


def _of_objects(rows: Iterable[Mapping[str, Any]], fields: dict[str, str]) -> Profile:
    """Return the profile of objects, by the paths to what they hold."""
    entries_of: dict[str, list[tuple[str, int, str]]] = {}
    count = 0
    for count, row in enumerate(rows, 1):
        for name, value, key in leaves(row):
            text = "" if value is None else str(value)
            text = text.lower() if isinstance(value, bool) else text
            entries_of.setdefault(name, []).append((text, count, key))
    columns: dict[str, ColumnProfile] = {}
    for name, entries in entries_of.items():
        key = next((key for *_, key in entries if key), "")
        texts, places = [e[0] for e in entries], [e[1] for e in entries]
        columns[name] = ColumnProfile(name, texts, places, key)
    return Profile(columns, count, fields)


def _of_blanks(text: str, fields: dict[str, str]) -> Profile | None:
    """Return the profile of lines whose fields blanks separate, by their places."""
    rows = [line.split() for line in text.splitlines() if line.strip()]
    if len({*map(len, rows)}) != 1:
        return None
    width = len(rows[0])
    names = [str(place) for place in range(1, width + 1)]
    return replace(_of_rows(names, [rows], fields), width=width)


def _of_parquet(source: Source) -> Profile:
    """Return the profile of a Parquet file: of its first, middle and last rows."""
    read = "read_parquet($path, hive_partitioning = false, file_row_number = true)"
    parameters: dict[str, Any] = {"path": glob_safe(source.readable)}
    with in_memory() as connection:
        described = connection.execute(f"describe from {read}", parameters)
        types = {str(row[0]): str(row[1]) for row in described.fetchall()}
        sql = "select sum(num_rows) from parquet_file_metadata($path)"
        [(count,)] = connection.execute(sql, parameters).fetchall()
        del types["file_row_number"]
        names = [name for name, type_ in types.items() if type_ != "BLOB"]
        # What is nested is JSON, and its paths have names.
        texts = ", ".join(
            f"coalesce(cast({f'to_json({n})' if is_nested(types[name]) else n}"
            " as varchar), '')"
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
    return _of_rows(names, [[*map(list[str], rows)] for rows in pieces], {})


def _of_lines(pieces: list[str]) -> Iterator[Any]:
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
