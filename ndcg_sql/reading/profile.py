"""What the first rows of a file look like: its text, its columns, their content.

A profile reads a bounded part of a file, whatever its size: the beginning, and of plain
text a piece of the middle and of the end, where another run may stand. It decides
nothing: proposals are made of it.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, cast

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.detection import format_of
from ndcg_sql.reading.formats.delimited import head_of
from ndcg_sql.reading.formats.excel import rows_of_sheet
from ndcg_sql.reading.formats.json import items
from ndcg_sql.reading.layouts import Format, Reading, ReadRequest, glob_safe
from ndcg_sql.reading.nested import DECODER, leaves
from ndcg_sql.reading.scanning import WINDOWS
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import COMMA_NUMBER, number

# How many bytes and rows of the beginning, the middle and the end are looked at.
_BEGINNING = 1 << 19
_PIECE = 1 << 17
_ROWS = 2000
# Lines of so many fields, separated by blanks, are those of TREC.
_WIDTHS = (4, 6)
# How many lines show what separates their fields.
_LINES = 20
_COMMA = re.compile(rf"(?=[+-]?\d){COMMA_NUMBER}")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
# The share of values that decides what a column holds.
_NEARLY_ALL = 0.9
# What a list of objects begins with, also as the only member of an object.
_LIST = re.compile(r'\s*(?:\{\s*"([^"\\]*)"\s*:\s*)?\[')


class ColumnProfile:
    """A column of the first rows: its values, empty where a row has none.

    Of a list, values are those of all lists, rows the numbers of their rows, and key is
    the name of the list, which that of a value in its objects begins with. filled are
    the values that are not empty, texts those that differ, in the order of the file.
    commas are the numbers with decimal commas; where there are any, points are between
    thousands. Nearly all values of a number or a date are such.
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
        self.filled = filled = [text for value in values if (text := value.strip())]
        self.texts = [*dict.fromkeys(filled)]
        self.commas = [t for t in filled if _COMMA.fullmatch(t) and number(t) is None]
        plain = values
        if self.commas:
            plain = [v.replace(".", "").replace(",", ".") for v in values]
        self.numbers = [number(value.strip()) for value in plain]
        numbers = [value for value in self.numbers if value is not None]
        enough = _NEARLY_ALL * max(len(filled), 1)
        # Ids are what begins with a zero and is no fraction.
        has_zeros = any(text[0] == "0" and text[1:2].isdigit() for text in filled)
        self.is_number = len(numbers) >= enough and not has_zeros
        self.is_date = sum(map(bool, map(_DATE.fullmatch, filled))) > enough
        is_whole = len(numbers) == len(filled) and all(n % 1 == 0 for n in numbers)
        self.is_whole = self.is_number and is_whole
        self.is_decimal = self.is_number and not is_whole
        dotted = (text for text in filled if "." in text)
        is_grouped = self.is_number and all(map(_COMMA.fullmatch, dotted))
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
    width is the number of fields on every line, if blanks separate them.
    """

    columns: dict[str, ColumnProfile]
    row_count: int = 0
    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    width: int = 0


def profile_of(source: Source, kind: Kind, reading: Reading) -> Profile | None:
    """Return the profile of a file; None if it has no columns, or cannot be read."""
    try:
        if source.binary == "parquet":
            return _of_objects(map(DECODER.decode, _objects_of_parquet(source)))
        if source.binary:
            rows = ([*map(str, row)] for _, row in rows_of_sheet(source))
            return _of_rows(next(rows, list[str]()), islice(rows, _ROWS))
        encoding = reading.encoding
        if encoding is None and any(fault.is_windows for fault in source.faults):
            encoding = WINDOWS
        pieces = _pieces(source.original, encoding or "utf-8")
        beginning = source.folder / "beginning"
        beginning.write_text(pieces[0], encoding="utf-8", newline="")
        source = replace(source, original=beginning, readable=beginning, faults=())
        profile = _of_text(source, kind, replace(reading, encoding=None), pieces)
        if profile and encoding != reading.encoding:
            profile.fields = {"encoding": WINDOWS, **profile.fields}
        return profile
    except (NdcgSqlError, csv.Error, OSError, duckdb.Error):
        return None


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


def _of_text(
    source: Source, kind: Kind, reading: Reading, pieces: list[str]
) -> Profile | None:
    """Return the profile of a text, in the format that its lines have."""
    form = format_of(source, kind, reading)
    if form.name == "json":
        return _of_objects(_items(pieces[0]))
    if form.name.startswith("json"):
        return _of_objects(_of_lines(pieces))
    fields: dict[str, str] = {}
    rows = [line.split() for line in pieces[0].splitlines() if line.strip()]
    [width] = widths if len(widths := {*map(len, rows)}) == 1 else [0]
    other = _delimited(pieces[0])
    is_trec = width in _WIDTHS and other != "tsv"
    if other and not is_trec and form.name in ("trec", "msmarco"):
        fields["format_in"] = other
        form = format_of(source, kind, replace(reading, format_in=other))
    if form.delimiters and (other or not is_trec):
        if reading.decimal is None and other == "csv" and ";" in pieces[0]:
            # A comma beside semicolons is a decimal mark.
            reading = replace(reading, decimal=",")
        request = ReadRequest(kind, reading)
        return _of_delimited(source, request, form, pieces, fields)
    if form.delimiters:
        fields["format_in"] = "trec"
    names = [*map(str, range(1, width + 1))]
    return replace(_of_rows(names, rows, fields), width=width) if width else None


def _delimited(text: str) -> str | None:
    """Return the format of lines that have as many delimiters each, if it is one."""
    lines = [line for line in text.splitlines()[:_LINES] if line.strip()]
    for delimiter, name in (("\t", "tsv"), (";", "csv"), (",", "csv")):
        counts = {line.count(delimiter) for line in lines}
        if len(counts) == 1 and counts.pop():
            return name
    return None


def _of_delimited(
    source: Source,
    request: ReadRequest,
    form: Format,
    pieces: list[str],
    fields: Mapping[str, str],
) -> Profile:
    """Return the profile of rows below a header, or of all, if the header is data."""
    head = head_of(source, request, form.delimiters)
    names, begin = head.names, head.line
    # No name of a column is a number, or a sentence.
    is_data = any(one is not None for one in ColumnProfile("", names).numbers)
    is_text = len(names) == 2 and head.delimiter == "\t" and names[1].count(" ") > 1
    is_named = columns.of_header(names, request.kind) & {"query_id", "doc_id"}
    if head.is_stated and (is_data or is_text) and not is_named:
        # Without a header, columns have numbers.
        names, begin = [*map(str, range(1, len(names) + 1))], begin - 1
        fields = {**fields, "format_in": "msmarco"} if is_text else fields
    first, *others = (piece.splitlines() for piece in pieces)
    # The last rows may be of another run than the first.
    rest = first[begin + _ROWS :]
    below = [first[begin:], rest[-_ROWS // 4 :], *others]
    rows = [islice(csv.reader(one, delimiter=head.delimiter), _ROWS) for one in below]
    return _of_rows(names, chain.from_iterable(rows), fields)


def _of_rows(
    names: list[str], rows: Iterable[list[str]], fields: Mapping[str, str] | None = None
) -> Profile:
    """Return the profile of rows with a field for each name; refuse equal names."""
    named = [name for name in names if name.strip()]
    columns.check_distinct("", named)
    objects = (
        {name: cell for name, cell in zip(names, row, strict=True) if name.strip()}
        for row in rows
        if len(row) == len(names) and any(map(str.strip, row))
    )
    profile = _of_objects(objects)
    if not profile.row_count:
        profile.columns = {name: ColumnProfile(name) for name in named}
    return replace(profile, fields=fields or {})


def _of_objects(rows: Iterable[Any]) -> Profile:
    """Return the profile of objects, by the paths to what they hold."""
    entries_of: dict[str, list[tuple[str, int, str]]] = {}
    objects = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    for place, row in enumerate(objects, 1):
        for name, value, key in leaves(row):
            text = "" if value is None else str(value)
            text = text.lower() if isinstance(value, bool) else text
            entries_of.setdefault(name, []).append((text, place, key))
    columns: dict[str, ColumnProfile] = {}
    for name, entries in entries_of.items():
        texts, places = [e[0] for e in entries], [e[1] for e in entries]
        key = next((key for *_, key in entries if key), "")
        columns[name] = ColumnProfile(name, texts, places, key)
    return Profile(columns, len(objects))


def _objects_of_parquet(source: Source) -> list[str]:
    """Return rows of the beginning, the middle and the end as objects of JSON."""
    path: dict[str, Any] = {"path": glob_safe(source.readable)}
    read = "read_parquet($path, hive_partitioning = false, file_row_number = true)"
    place = "file_row_number"
    with in_memory() as connection:
        sql = "select sum(num_rows) from parquet_file_metadata($path)"
        [(count,)] = connection.execute(sql, path).fetchall()
        near = f"least({place}, abs({place} - {count // 2}), {count} - {place})"
        rows = f"select * exclude ({place}) from {read} where {near} <= {_ROWS}"
        select = f"select to_json(rows) from ({rows}) as rows"
        return [text for (text,) in connection.execute(select, path).fetchall()]


def _of_lines(pieces: list[str]) -> Iterator[Any]:
    for piece in pieces:
        for line in islice(piece.splitlines(), _ROWS):
            with suppress(ValueError, RecursionError):
                yield DECODER.decode(line)


def _items(text: str) -> Iterator[Any]:
    """Yield the first items of a list, also of the only one of an object."""
    begin = _LIST.match(text)
    if not begin or (
        begin[1] and columns.folded(begin[1]) not in columns.words_for("rows")
    ):
        return
    with suppress(ValueError, RecursionError):
        yield from islice(items(text, begin.end()), _ROWS)
