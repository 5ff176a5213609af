"""Parquet files that cannot be read or that hold the wrong things."""

import gzip
import math
import random
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.reading.formats.parquet import check_pages
from ndcg_sql.system.messages import Messages
from support import exploring
from support.libraries import library


@pytest.mark.parametrize("writes", [False, True], ids=["without", "with checksums"])
def test_a_flipped_bit_of_a_score_is_seen_by_the_checksum(
    memory: Database, dataset: str, tmp_path: Path, writes: bool
) -> None:
    path, score = tmp_path / "r.parquet", 0.123456789
    columns = {"query_id": ["q"], "doc_id": ["d"], "score": [score]}
    plain: dict[str, Any] = {"compression": "none", "use_dictionary": False}
    write(path, columns, write_page_checksum=writes, write_statistics=False, **plain)
    options = Options(dataset=dataset, name=f"bit {writes}", evaluate=False)
    whole = path.read_bytes()
    place = whole.index(struct.pack("<d", score))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    if not writes:
        # Nobody can know. If DuckDB did, the documentation of formats should say so.
        load(memory, "run", [path], options, Messages())
        sql = "select score from rankings where run_id = (select max(run_id) from runs)"
        assert memory.execute(sql) == [(math.nextafter(score, 0),)]
        return
    with pytest.raises(NdcgSqlError) as refused:
        load(memory, "run", [path], options, Messages())
    assert str(refused.value) == (
        f'{path}: the Parquet file is damaged (column "score" of row group 0 does not'
        " match its pages); fetch or write it again"
    )


@pytest.mark.parametrize(
    ("before", "after", "times"),
    [
        # The offset of the first page, 4, which the footer has twice, becomes -4.
        (b"\x26\x08", b"\x26\x07", 2),
        # A page of three values is one of two, or of another kind: DuckDB would read
        # on in the pages of the next column.
        (b"\x15\x06\x15\x00", b"\x15\x04\x15\x00", 1),
        (b"PAR1\x15\x00", b"PAR1\x15\x04", 1),
    ],
)
def test_pages_are_where_and_as_many_as_the_file_says(
    tmp_path: Path, before: bytes, after: bytes, times: int
) -> None:
    path = tmp_path / "r.parquet"
    plain: dict[str, Any] = {"use_dictionary": False, "write_statistics": False}
    write(path, {"score": [0.5, 0.25, 0.75]}, **plain)
    whole = path.read_bytes()
    check_pages(path, "r", ["score"])
    assert whole.count(before) == times
    path.write_bytes(whole.replace(before, after))
    with pytest.raises(NdcgSqlError, match="row group 0 does not match its pages"):
        check_pages(path, "r", ["score"])


def test_a_flipped_bit_is_seen_in_gzip(
    memory: Database, dataset: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.parquet"
    write(path, {"query_id": ["q"], "doc_id": ["d"], "score": [0.5]})
    whole = gzip.compress(path.read_bytes())
    path.write_bytes(whole[:60] + bytes([whole[60] ^ 1]) + whole[61:])
    with pytest.raises(NdcgSqlError, match="damaged"):
        load(memory, "run", [path], Options(dataset=dataset), Messages())


def write(path: Path, columns: dict[str, Any], **options: Any) -> None:
    """Write columns as a Parquet file by pyarrow."""
    arrow: Any = library("pyarrow")
    parquet: Any = library("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), path, **options)


def verified(path: Path, columns: list[str]) -> str:
    """Return what pyarrow says of columns of a file, nothing if they are whole."""
    arrow: Any = library("pyarrow")
    parquet: Any = library("pyarrow.parquet")
    try:
        parquet.read_table(path, columns=columns, page_checksum_verification=True)
    except (OSError, arrow.ArrowException) as error:
        return str(error)
    return ""


def checked(path: Path, columns: list[str]) -> str:
    """Return what we say of columns of a file, nothing if they are whole."""
    try:
        check_pages(path, "r", columns)
    except NdcgSqlError as error:
        return str(error)
    return ""


WRITTEN: dict[str, dict[str, Any]] = {
    "plain": {"compression": "none", "use_dictionary": False},
    "snappy": {},
    "zstd, second version": {"compression": "zstd", "data_page_version": "2.0"},
    "several pages": {"data_page_size": 64, "row_group_size": 100},
}


@pytest.mark.parametrize("name", exploring.mostly_slow(WRITTEN, "several pages"))
@pytest.mark.parametrize("flips", [exploring.amount(25, 1000)])
def test_pages_are_verified_as_pyarrow_does(
    tmp_path: Path, name: str, flips: int
) -> None:
    path, chance = tmp_path / "r.parquet", random.Random(name)
    used = ["query_id", "doc_id", "score"]
    # What nobody reads is not verified; what is nested, and its parts, have names, too.
    columns = {
        **{"query_id": [f"q{n // 20}" for n in range(300)]},
        **{"doc_id": [f"d{n * 7919 % 1009}" for n in range(300)]},
        **{"score": [n * 0.37 for n in range(300)]},
        **{"vector": [[n, n * 0.1] for n in range(300)]},
    }
    write(path, columns, write_page_checksum=True, **WRITTEN[name])
    whole = path.read_bytes()
    check_pages(path, "r", [*used, "vector"])
    refused = 0
    for _ in range(flips):
        place = chance.randrange(len(whole))
        flipped = bytes([whole[place] ^ 1 << chance.randrange(8)])
        path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        said, found = verified(path, used), checked(path, used)
        # Of a damaged header, pyarrow overlooks more than we do.
        assert found or "CRC" not in said, (place, said)
        refused += "does not match its pages" in found
    assert refused > flips / 4


def test_pages_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    duckdb.execute(
        "copy (select 'q' as query_id, x as doc_id, 1 as score from range(9000) t (x))"
        f" to '{path}' (format parquet)"
    )
    check_pages(path, "r", ["query_id", "doc_id", "score"])


@pytest.mark.slow
@pytest.mark.parametrize("times", [exploring.amount(20, 120)])
def test_parquet_damaged_anywhere_is_refused_or_harmless(
    memory: Database, dataset: str, tmp_path: Path, times: int
) -> None:
    path = tmp_path / "r.parquet"
    duckdb.execute(
        "copy (select 'q' || x % 3 as query_id, 'd' || x as doc_id, x * 0.5 as score"
        f" from range(9) as t (x)) to '{path}' (format parquet)"
    )
    whole = path.read_bytes()
    chance = random.Random(20)
    for n in range(times):
        place = chance.randrange(len(whole))
        flipped = bytes([whole[place] ^ 1 << chance.randrange(8)])
        path.write_bytes(whole[:place] + flipped + whole[place + 1 :])
        options = Options(dataset=dataset, name=f"run {n}", evaluate=False)
        # Anything but a refusal in our own words ends this test.
        with suppress(NdcgSqlError):
            load(memory, "run", [path], options, Messages())


def test_a_row_group_without_rows_is_no_damage(tmp_path: Path) -> None:
    pyarrow = library("pyarrow")
    parquet = library("pyarrow.parquet")
    table = pyarrow.table({"query_id": ["q", "q"], "doc_id": ["a", "b"]})
    path = tmp_path / "empty first.parquet"
    with parquet.ParquetWriter(path, table.schema, write_page_checksum=True) as writer:
        writer.write_table(table.slice(0, 0))
        writer.write_table(table)
    check_pages(path, "f", ["query_id", "doc_id"])
