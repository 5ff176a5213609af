"""Rows whose run, set or evaluation is not there are not shown, and removed."""

import shutil
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening, owners, sql_files, views
from ndcg_sql.evaluation.values import refill
from ndcg_sql.system.messages import Collected
from support import twins
from support.files import change, tables

# The tables whose rows of one command may fill a group, which DuckDB writes first.
LARGE = (
    *("assessments", "empty_answers", "hits", "judgments", "loaded_values"),
    *("rankings", "run_queries", "stored_values", "subtopic_judgments"),
)
# An evaluation that is taken away.
PAIR = "where run_id = 1 and judgment_set_id = 1"
OF_PAIRS = (
    *("evaluations", "stored_run_values", "stored_weighted_values"),
    *("hits", "stored_values"),
)


def relations(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of every public relation, as any client sees them."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return {
            name: sorted(connection.execute(f"from {name}").fetchall(), key=repr)
            for name in views.public()
        }


@pytest.mark.slow
def test_rows_without_an_owner_are_not_shown_and_removed_before_a_write(
    tmp_path: Path,
) -> None:
    clean, torn = tmp_path / "clean.duckdb", tmp_path / "torn.duckdb"
    twins.fill(clean, ["shop"])
    shutil.copyfile(clean, torn)
    strangers = [
        f"insert into store.{row['relation']} select * replace (900 as {row['key']})"
        f" from store.{row['relation']} limit 3"
        for row in sql_files.rows("proofs")
        if row["proof"] == owners.PROOF
        and row["relation"] in LARGE
        and " " not in row["key"]
    ]
    change(torn, *strangers)
    assert relations(torn) == relations(clean)

    lost = [table for table in OF_PAIRS if table not in LARGE]
    change(torn, *(f"delete from store.{table} {PAIR}" for table in lost))
    change(clean, *(f"delete from store.{table} {PAIR}" for table in OF_PAIRS))
    left, right = tables(torn), tables(clean)
    surplus = sum(len(left[table]) - len(right[table]) for table in right)
    assert surplus > len(strangers)
    told = Collected()
    opening.write(torn, refill, messages=told).close()
    assert [str(text) for text in told.lines] == [
        f"{torn}: removed {surplus} rows that an interrupted command left behind"
    ]
    assert tables(torn) == right
