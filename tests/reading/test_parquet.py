"""Parquet files: what they say is stored, whatever their folders are called."""

import itertools
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Silent

NAMES = (f"parquet {n}" for n in itertools.count())
SCORED = "select 'q' as query_id, 'd' || x as doc_id, x::double as score"


def stored(memory: Database, path: Path, sql: str, **given: Any) -> list[Any]:
    """Write the rows of a select as Parquet and load them; return the rankings."""
    path.parent.mkdir(exist_ok=True)
    with duckdb.connect() as connection:
        # A path with = in it is no partition of ours when written, either.
        bare = path.parent.parent / "bare.parquet"
        connection.execute(f"copy ({sql}) to '{bare}' (format parquet)")
    bare.rename(path)
    options = Options(dataset="parquet", name=next(NAMES), evaluate=False, **given)
    load(memory, "run", [path], options, Silent())
    return memory.execute(
        "select query_id, doc_id, score from rankings"
        " where run_id = (select max(run_id) from runs) order by position"
    )


@pytest.mark.parametrize(
    ("types", "row"),
    [
        ("1::bigint, 2::ubigint, 0.1::float", ("1", "2", 0.10000000149011612)),
        ("7::tinyint, -12::integer, 3::bigint", ("7", "-12", 3.0)),
        ("true::varchar, 1.50::varchar, 1.50::decimal(9, 2)", ("true", "1.50", 1.5)),
        ("'q'::enum('q'), 'null', '007'", ("q", "null", 7.0)),
        (
            "9007199254740993::bigint, 18446744073709551615::ubigint, '1e3'",
            ("9007199254740993", "18446744073709551615", 1000.0),
        ),
        (
            "'00000000-0000-0000-0000-00000000000a'::uuid, 'd', '-inf'::double",
            ("00000000-0000-0000-0000-00000000000a", "d", -float("inf")),
        ),
    ],
    ids=["single float", "small integers", "text", "enum", "large integers", "UUID"],
)
def test_every_type_that_is_exact_is_read_exactly(
    memory: Database, tmp_path: Path, types: str, row: tuple[Any, ...]
) -> None:
    sql = f"from (values ({types})) as t (query_id, doc_id, score)"
    assert stored(memory, tmp_path / "a" / "r.parquet", sql) == [row]


@pytest.mark.parametrize(
    "folder", ["score=9", "query_id=7", "doc_id=x", "rank=1", "date=2026-01-31"]
)
def test_the_name_of_a_folder_is_no_column(
    memory: Database, tmp_path: Path, folder: str
) -> None:
    rows = stored(
        memory, tmp_path / folder / "r.parquet", f"{SCORED} from range(2) as t (x)"
    )
    assert rows == [("q", "d1", 1.0), ("q", "d0", 0.0)]


@pytest.mark.parametrize(
    "name", ["filename", "line_number", "fields", "file_row_number", "parquet_rows"]
)
def test_another_column_may_have_any_name(
    memory: Database, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "a" / "r.parquet"
    sql = f"{SCORED}, 42 as {name} from range(1) as t (x)"
    try:
        assert stored(memory, path, sql) == [("q", "d0", 0.0)]
    except NdcgSqlError as error:
        refusal = str(error)
        assert name in refusal


def test_columns_with_odd_names_can_be_named(memory: Database, tmp_path: Path) -> None:
    sql = """select 'q' as "my ""q", 'd' as "a b", 1 as "s'c", 2 as score"""
    columns = {"query_id": 'my "q', "doc_id": "a b", "score": "s'c"}
    rows = stored(memory, tmp_path / "a" / "r.parquet", sql, columns=columns)
    assert rows == [("q", "d", 1.0)]


def test_a_file_is_not_taken_for_one_that_was_removed(
    memory: Database, tmp_path: Path
) -> None:
    path = tmp_path / "epoch" / "run.parquet"
    with duckdb.connect() as connection:
        for score in ["score", "grade"] * 10:
            path.parent.mkdir()
            connection.execute(f"copy (select 1.0 as {score}) to '{path}'")
            [(name, *_)] = memory.execute(
                "describe from read_parquet($path)", {"path": str(path)}
            )
            assert name == score
            path.unlink()
            path.parent.rmdir()
