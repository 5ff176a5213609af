"""The checksums and sizes of the pages of a Parquet file, which DuckDB does not verify.

The header of a page may have the CRC-32 of the bytes that follow it (PageHeader.crc in
https://github.com/apache/parquet-format). Spark and other programs in Java write it,
pyarrow does with write_page_checksum. The header is a struct of Thrift's compact
protocol, of which only these few numbers are read. Where pages have fewer values than
their column, DuckDB reads on in the pages of the next one.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import duckdb

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.compression import CHUNK
from ndcg_sql.reading.layouts import glob_safe
from ndcg_sql.text import quoted

# The numbers of fields in PageHeader; where each kind of page that holds rows says, in
# a struct of its own, how many values it has.
_KIND, _SIZE, _CHECKSUM = 1, 3, 4
_COUNTS = {0: 5, 3: 8}
# No header has structs within structs within structs.
_DEEPEST = 3
# A text that is longer than any file could not be passed over.
_LONGEST = 1 << 48
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


class _OtherHeaderError(Exception):
    """What is there is no header of a page that can be read."""


def check_pages(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    shown: str,
    columns: Sequence[str],
    remedy: str = "fetch or write it again",
) -> None:
    """Raise NdcgSqlError if the pages of these columns are not what the file says.

    Pages without a checksum may hold anything. If one has a checksum, there must be
    pages up to the end of each column, for no checksum covers what says where they end.
    """
    parameters = {"path": glob_safe(path), "columns": list(columns)}
    chunks = connection.execute(_CHUNKS, parameters).fetchall()
    length = path.stat().st_size
    with path.open("rb") as file:
        read = [
            _read(file, start, start + size)
            if 0 <= start <= start + size <= length
            else None
            for _, _, start, size, _ in chunks
        ]
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
            f" row group {group} {fault}); {remedy}"
        )


@dataclass
class _Pages:
    """What was found of the pages of a column in a row group."""

    has_checksums: bool = False
    are_right: bool = True
    are_complete: bool = False
    values: int = 0


def _read(file: BinaryIO, start: int, end: int) -> _Pages:
    """Return what is found of the pages between two places."""
    pages = _Pages()
    file.seek(start)
    try:
        while file.tell() < end:
            header = _numbers(file)
            size = header.get(_SIZE, -1)
            if not 0 <= size <= end - file.tell():
                return pages
            pages.values += header.get(_COUNTS.get(header.get(_KIND, -1), -1), 0)
            if _CHECKSUM not in header:
                file.seek(size, 1)
                continue
            pages.has_checksums = True
            checksum = 0
            while size > 0 and (piece := file.read(min(size, CHUNK))):
                checksum = zlib.crc32(piece, checksum)
                size -= len(piece)
            if checksum != header[_CHECKSUM] & 0xFFFFFFFF:
                pages.are_right = False
                return pages
        pages.are_complete = file.tell() == end
    except _OtherHeaderError:
        pass
    return pages


def _numbers(file: BinaryIO, depth: int = 0) -> dict[int, int]:
    """Return the numbers of a struct by their fields, and the first of those within."""
    numbers: dict[int, int] = {}
    field = 0
    while (byte := _byte(file)) != 0:
        field = field + (byte >> 4) if byte >> 4 else _signed(file)
        match byte & 15:
            # True and false are kinds of their own, without a value.
            case 1 | 2:
                pass
            case 4 | 5 | 6:
                numbers[field] = _signed(file)
            case 8 if (length := _unsigned(file)) < _LONGEST:
                file.seek(length, 1)
            case 12 if depth < _DEEPEST:
                numbers[field] = _numbers(file, depth + 1).get(1, 0)
            case _:
                raise _OtherHeaderError
    return numbers


def _signed(file: BinaryIO) -> int:
    """Return a number whose lowest bit is its sign."""
    value = _unsigned(file)
    return value >> 1 ^ -(value & 1)


def _unsigned(file: BinaryIO) -> int:
    """Return a number of seven bits a byte, the lowest first."""
    value = 0
    for shift in range(0, 64, 7):
        byte = _byte(file)
        value |= (byte & 127) << shift
        if byte < 128:
            return value
    raise _OtherHeaderError


def _byte(file: BinaryIO) -> int:
    byte = file.read(1)
    if not byte:
        raise _OtherHeaderError
    return byte[0]
