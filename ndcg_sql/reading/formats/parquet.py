"""Parquet: columns with names and types, whose pages DuckDB does not verify.

The header of a page may have the CRC-32 of the bytes that follow it (PageHeader.crc in
https://github.com/apache/parquet-format). Spark and other programs in Java write it,
pyarrow does with write_page_checksum. The header is a struct of Thrift's compact
protocol, of which only these few numbers are read. Where pages have fewer values than
their column, DuckDB reads on in the pages of the next one.
"""

import zlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from mmap import ACCESS_READ, mmap
from os import SEEK_CUR
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.reading import records
from ndcg_sql.reading.layouts import BYTES, NO, Format, Layout, ReadRequest, glob_safe
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import Row, is_list, looked_into
from ndcg_sql.reading.sources import Source, damaged_parquet
from ndcg_sql.text import quoted, sql_name

_FILE = "read_parquet($path, hive_partitioning = false)"
# The types of columns that hold exact ids, or more than one value.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_ID_TYPES = {"VARCHAR", "UUID", *_WHOLE, *("U" + name for name in _WHOLE)}
_NESTED = ("STRUCT", "MAP", "UNION")
# The numbers of fields in PageHeader; where each kind of page that holds rows says, in
# a struct of its own, how many values it has.
_KIND, _SIZE, _CHECKSUM = 1, 3, 4
_COUNTS = {0: 5, 3: 8}
# No header has structs within structs within structs.
_DEEPEST = 3
_BLOCK = 10_000
_CHUNKS = """
    select
        row_group_id,
        path_in_schema,
        least(
            data_page_offset,
            coalesce(nullif(dictionary_page_offset, 0), data_page_offset)
        ),
        total_compressed_size,
        num_values
    from parquet_metadata($path)
    where num_values > 0 and exists (
        select 1
        from unnest($columns) as columns (name)
        where path_in_schema = name or starts_with(path_in_schema, name || ', ')
    )
    order by all
"""


def _layout(source: Source, request: ReadRequest) -> Layout:
    """Read the columns that have a meaning; refuse ids of inexact types."""
    described = _rows(source, f"describe from {_FILE}")
    types = {name: type_ for name, type_, *_ in described} | dict(source.types)
    nested = {n for n, t in types.items() if t.endswith("]") or t.startswith(_NESTED)}
    documents = request.named.get("doc_id", "")
    if types.get(documents) == "VARCHAR":
        column = sql_name(documents)
        filled = f"select {column} from {_FILE} where {column} <> '' limit 1"
        # A column of texts may hold lists of JSON.
        nested |= {documents for row in _rows(source, filled) if is_list(*row)}
    if names := looked_into([*types], request, nested):
        check_pages(source.readable, source.shown, names)
        return records.layout(source, request, _objects(source, names))
    # Bytes are neither documents nor attributes.
    nested |= {name for name, type_ in types.items() if type_ == "BLOB"}
    how = understood(source, request, [*types], nested=nested)
    for column in ("query_id", "doc_id"):
        name = how.column_names.get(column)
        if name is not None and types[name] not in _ID_TYPES:
            what = f"column {quoted(name)} is {types[name]}; ids are text or integers"
            lacks = "pandas makes doubles of integers where a row has none"
            raise source.error(what, lacks if types[name] == "DOUBLE" else "")
    columns = how.column_names.items()
    # Only what is used is read.
    used = {*how.column_names.values(), *how.attributes}
    names = [name for name in types if name in used]
    check_pages(source.readable, source.shown, names)
    places = {name: at for at, name in enumerate(names, 1)}
    return replace(
        how,
        steps=("read/parquet",),
        parameters={"path": glob_safe(source.readable), "names": names},
        names=names,
        fields={column: places[name] for column, name in columns},
        attributes={name: places[name] for name in how.attributes},
        field_range=(len(names), len(names)),
        typed=frozenset(c for c, name in columns if types[name] != "VARCHAR"),
    )


def _objects(source: Source, names: list[str]) -> Iterator[Row]:
    """Read columns as objects, in which what is nested is JSON."""
    parameters = {"path": glob_safe(source.readable), "names": names}
    with _reading(source.shown) as connection:
        rows = connection.execute(sql_files.read("read/parquet"), parameters)
        while block := rows.fetchmany(_BLOCK):
            for line, fields in block:
                yield line, dict(zip(names, fields, strict=True))


def _rows(source: Source, select: str) -> list[Any]:
    """Return what a select finds in a file; raise NdcgSqlError if it is damaged."""
    path = {"path": glob_safe(source.readable)}
    with _reading(source.shown) as connection:
        return connection.execute(select, path).fetchall()


@contextmanager
def _reading(shown: str) -> Generator[duckdb.DuckDBPyConnection]:
    """Give a connection that reads a file; raise NdcgSqlError if it is damaged."""
    try:
        with in_memory() as connection:
            yield connection
    except duckdb.Error as error:
        raise damaged_parquet(shown) from error


FORMATS = (
    Format(
        "parquet",
        "columns by name",
        lambda request: BYTES if request.binary == "parquet" else NO,
        _layout,
        ("parquet",),
        is_binary=True,
    ),
)


def check_pages(path: Path, shown: str, columns: Sequence[str]) -> None:
    """Raise NdcgSqlError if the pages of these columns are not what the file says.

    Pages without a checksum may hold anything. If one has a checksum, there must be
    pages up to the end of each column, for no checksum covers what says where they end.
    """
    parameters = {"path": glob_safe(path), "columns": list(columns)}
    with _reading(shown) as connection:
        chunks = connection.execute(_CHUNKS, parameters).fetchall()
    with (
        path.open("rb") as opened,
        mmap(opened.fileno(), 0, access=ACCESS_READ) as file,
    ):
        read = [_read(file, start, start + size) for _, _, start, size, _ in chunks]
    has_checksums = any(pages.has_checksums for pages in read)
    for (group, column, *_, values), pages in zip(chunks, read, strict=True):
        is_whole = pages.are_complete and pages.values == values
        may_be = not (pages.are_complete or has_checksums)
        if not (pages.are_right and (is_whole or may_be)):
            where = f"column {quoted(column)} of row group {group}"
            raise damaged_parquet(shown, f"{where} does not match its pages")


@dataclass
class _Pages:
    """What the pages of a column in a row group are like."""

    has_checksums: bool = False
    are_right: bool = True
    are_complete: bool = False
    values: int = 0


def _read(file: mmap, start: int, end: int) -> _Pages:
    """Return what the pages between two places of a file are like."""
    pages = _Pages(are_right=0 <= start <= end <= len(file))
    if not pages.are_right:
        return pages
    file.seek(start)
    # Where no header that can be read is, there is a ValueError.
    with suppress(ValueError, OverflowError):
        while file.tell() < end:
            header = _numbers(file)
            size = header.get(_SIZE, -1)
            if not 0 <= size <= end - file.tell():
                return pages
            pages.values += header.get(_COUNTS.get(header.get(_KIND, -1), -1), 0)
            if _CHECKSUM not in header:
                file.seek(size, SEEK_CUR)
                continue
            pages.has_checksums = True
            if zlib.crc32(file.read(size)) != header[_CHECKSUM] & 0xFFFFFFFF:
                pages.are_right = False
                return pages
        pages.are_complete = file.tell() == end
    return pages


def _numbers(file: mmap, depth: int = 0) -> dict[int, int]:
    """Return the numbers of a struct by fields; raise ValueError for other bytes."""
    numbers: dict[int, int] = {}
    field = 0
    while (byte := file.read_byte()) != 0:
        field = field + (byte >> 4) if byte >> 4 else _signed(file)
        match byte & 15:
            # True and false are kinds of their own, without a value.
            case 1 | 2:
                pass
            case 4 | 5 | 6:
                numbers[field] = _signed(file)
            case 8:
                file.seek(_unsigned(file), SEEK_CUR)
            case 12 if depth < _DEEPEST:
                numbers[field] = _numbers(file, depth + 1).get(1, 0)
            case _:
                raise ValueError("no header of a page")
    return numbers


def _signed(file: mmap) -> int:
    """Return a number whose lowest bit is its sign."""
    value = _unsigned(file)
    return value >> 1 ^ -(value & 1)


def _unsigned(file: mmap) -> int:
    """Return a number of seven bits a byte, the lowest first."""
    value = 0
    for shift in range(0, 64, 7):
        byte = file.read_byte()
        value |= (byte & 127) << shift
        if byte < 128:
            return value
    raise ValueError("no number")
