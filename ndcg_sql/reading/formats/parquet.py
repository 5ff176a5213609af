"""Parquet: columns with names and types, whose pages DuckDB does not verify.

The header of a page may have the CRC-32 of the bytes that follow it (PageHeader.crc in
https://github.com/apache/parquet-format). Spark and other programs in Java write it,
pyarrow does with write_page_checksum. The header is a struct of Thrift's compact
protocol, of which only these few numbers are read. Where pages have fewer values than
their column, DuckDB reads on in the pages of the next one.
"""

import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from mmap import ACCESS_READ, mmap
from os import SEEK_CUR
from pathlib import Path

import duckdb

from ndcg_sql.database.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import meaning as meaning_of
from ndcg_sql.reading.layouts import BYTES, NO, Format, Layout, ReadRequest, glob_safe
from ndcg_sql.reading.meanings import understood
from ndcg_sql.reading.nested import is_list
from ndcg_sql.reading.sources import Source, damaged_parquet
from ndcg_sql.text import quoted, sql_name

# The types of columns that hold exact ids, or more than one value.
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
_ID_TYPES = {"VARCHAR", "UUID", *_WHOLE, *("U" + name for name in _WHOLE)}
_NESTED = ("STRUCT", "MAP", "UNION", "BLOB")
# The numbers of fields in PageHeader; where each kind of page that holds rows says, in
# a struct of its own, how many values it has.
_KIND, _SIZE, _CHECKSUM = 1, 3, 4
_COUNTS = {0: 5, 3: 8}
# No header has structs within structs within structs.
_DEEPEST = 3
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


def _layout(source: Source, request: ReadRequest) -> tuple[Layout, Source]:
    """Read the columns that have a meaning; refuse ids of inexact types."""
    path = glob_safe(source.readable)
    types = _types(source, path)
    nested = {n for n, t in types.items() if t.endswith("]") or t.startswith(_NESTED)}
    documents = request.named.get("doc_id", "")
    if types.get(documents) == "VARCHAR" and _has_list(path, documents):
        nested.add(documents)
    usual = (name for name in types if meaning_of(name, request.kind) == "doc_id")
    documents = documents or next(usual, "")
    if types.get(documents) == "BLOB":
        # Bytes are no list of documents.
        nested.discard(documents)
    how = understood(source, request, [*types], nested=nested).of_used()
    for column in ("query_id", "doc_id"):
        name = how.column_names.get(column)
        if name is not None and types[name] not in _ID_TYPES:
            raise source.error(
                f"column {quoted(name)} is {types[name]}; ids are"
                f" text or integers{_empty_row(path, name, types[name])}"
            )
    try:
        with in_memory() as connection:
            check_pages(connection, source.readable, source.shown, how.names)
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    columns = how.column_names.items()
    how = replace(
        how,
        steps=("read/parquet",),
        parameters={"path": path, "names": how.names},
        typed=frozenset(c for c, name in columns if types[name] != "VARCHAR"),
    )
    return how, source


def _empty_row(path: str, name: str, type_: str) -> str:
    """Return the first row without a number in a column of doubles, for a message.

    A missing value makes doubles of integers in pandas.
    """
    if type_ != "DOUBLE":
        return ""
    column = sql_name(name)
    rows = "read_parquet($path, file_row_number = true, hive_partitioning = false)"
    where = f"coalesce(isnan(try_cast({column} as double)), true)"
    sql = f"select min(file_row_number) + 1 from {rows} where {where}"
    with in_memory() as connection:
        row = connection.execute(sql, {"path": path}).fetchall()[0][0]
    return "" if row is None else f", and row {row} has none"


def _has_list(path: str, name: str) -> bool:
    """Return whether a column of texts holds lists of JSON."""
    column = sql_name(name)
    rows = "from read_parquet($path, hive_partitioning = false)"
    sql = f"select {column} {rows} where {column} <> '' limit 1"
    with in_memory() as connection:
        return any(map(is_list, *connection.execute(sql, {"path": path}).fetchall()))


def _types(source: Source, path: str) -> dict[str, str]:
    """Return the type of each column; raise NdcgSqlError for a damaged file."""
    try:
        with in_memory() as connection:
            described = connection.execute(
                "describe from read_parquet($path, hive_partitioning = false)",
                {"path": path},
            ).fetchall()
    except duckdb.Error as error:
        raise damaged_parquet(source) from error
    return {str(row[0]): str(row[1]) for row in described} | dict(source.types)


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


def check_pages(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    shown: str,
    columns: Sequence[str],
) -> None:
    """Raise NdcgSqlError if the pages of these columns are not what the file says.

    Pages without a checksum may hold anything. If one has a checksum, there must be
    pages up to the end of each column, for no checksum covers what says where they end.
    """
    parameters = {"path": glob_safe(path), "columns": list(columns)}
    chunks = connection.execute(_CHUNKS, parameters).fetchall()
    with (
        path.open("rb") as opened,
        mmap(opened.fileno(), 0, access=ACCESS_READ) as file,
    ):
        read = [_read(file, start, start + size) for _, _, start, size, _ in chunks]
    has_checksums = any(pages and pages.has_checksums for pages in read)
    for (group, column, *_, values), pages in zip(chunks, read, strict=True):
        if pages is None:
            fault = "is not within the file"
        elif not pages.are_right or (has_checksums and not pages.are_complete):
            fault = "does not match its checksum"
        elif pages.are_complete and pages.values != values:
            fault = f"has {values} values, and {pages.values} in its pages"
        else:
            continue
        raise NdcgSqlError(
            f"{shown}: the Parquet file is damaged (column {quoted(column)} of"
            f" row group {group} {fault}); fetch or write it again"
        )


@dataclass
class _Pages:
    """What the pages of a column in a row group are like."""

    has_checksums: bool = False
    are_right: bool = True
    are_complete: bool = False
    values: int = 0


def _read(file: mmap, start: int, end: int) -> _Pages | None:
    """Return what the pages between two places are like, if the file has these."""
    if not 0 <= start <= end <= len(file):
        return None
    pages = _Pages()
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
