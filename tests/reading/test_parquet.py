"""Parquet files: what they say is stored, whatever their folders are called."""

from pathlib import Path

import duckdb

from ndcg_sql.database.database import Database
from support.scripts import scripted

test_script = scripted(__file__)


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
