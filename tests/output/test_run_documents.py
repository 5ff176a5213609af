"""run_documents: what a query showed, beside the run before, and published in step."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.commands import Command

SHOWN = (
    "select query_id, position, doc_id, title, grade, gain, previous_run,"
    " previous_position from run_documents where run = 'base' order by all"
)
BASE = [
    ("q1", 1, "b", None, 1.0, 1.0, None, None),
    ("q1", 2, "a", "A title", 2.0, 2.0, None, None),
    ("q1", 3, "u", None, None, 0.0, None, None),
    ("q3", 1, "a", "A title", None, 0.0, None, None),
]


def rows(path: Path, sql: str) -> list[Any]:
    """Return the rows of a select on a file."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.slow
def test_before_and_after_are_one_relation(ndcg: Command, loaded: Path) -> None:
    Path("documents.csv").write_text("doc_id,title\na,A title\n")
    assert ndcg("load", "documents", "documents.csv").code == 0
    assert rows(loaded, SHOWN) == BASE
    steps = "select query_id, position, gain from ndcg_steps where measure = 'nDCG@10'"
    both = f"select query_id, position, gain from run_documents intersect ({steps})"
    assert len(rows(loaded, both)) == 3
    lines = [f"q1 Q0 d{n:02} 0 {30 - n} t\n" for n in range(1, 12)]
    Path("older").write_text("".join(lines) + "q1 Q0 a 0 1 t\n")
    assert ndcg("load", "run", "older", "--run-at", "2020-01-01").code == 0
    # A run is compared with the one before it in time, beyond position 10 too.
    previous = [
        (*row[:-2], "older", 12 if row[:3] == ("q1", 2, "a") else None) for row in BASE
    ]
    assert rows(loaded, SHOWN) == previous
    ten = "select count(*), max(position) from run_documents where run = 'older'"
    assert rows(loaded, ten) == [(10, 10)]
    assert ndcg("publish", "bi").code == 0
    assert rows(Path("bi"), SHOWN) == previous
    # The part of a run follows what happens to the run before it.
    assert ndcg("rename", "run", "older", "first").code == 0
    assert ndcg("publish", "bi").code == 0
    assert rows(Path("bi"), SHOWN) == rows(loaded, SHOWN) != previous
    assert ndcg("remove", "run", "first").code == 0
    assert ndcg("publish", "bi").code == 0
    assert rows(Path("bi"), SHOWN) == BASE


@pytest.mark.slow
def test_a_run_without_judgments_has_documents(ndcg: Command) -> None:
    Path("run").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "run", "run").code == 0
    select = "select doc_id, judgment_set, grade, gain from run_documents"
    assert rows(Path("ndcg.duckdb"), select) == [("a", None, None, None)]
    assert ndcg("publish", "sqlite:///marts.db").code == 0
