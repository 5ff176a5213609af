"""What BI tools find in a database: tables with rows, joins, indexes, added columns."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

from ndcg_sql import models
from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import plan
from support.commands import Command, Once
from support.files import RUN
from support.servers import Server

MARTS = "sqlite:///marts.db"
LARGE = {name for name, found in relations().items() if found.may_be_left_out}


def execute(*statements: str) -> list[Any]:
    """Run statements on the file of SQLite; return the rows of the last."""
    with closing(sqlite3.connect("marts.db")) as connection, connection:
        return [connection.execute(sql).fetchall() for sql in statements][-1]


@pytest.fixture
def marts(ndcg: Command, loaded: Path, once: Once) -> Path:
    """Publish a warehouse to SQLite."""

    def publish() -> None:
        assert ndcg("publish", MARTS).code == 0

    once(publish)
    return loaded


def test_the_relations_that_may_be_missing_are_said() -> None:
    text = Path(plan.__file__).parents[2] / "sql" / "publishing" / "sizes.sql"
    assert {*re.findall(r"'(\w+)'", text.read_text())} == LARGE
    for name, table in models.metadata.tables.items():
        assert table.info == {"may_be_left_out": name in LARGE}


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_a_table_that_a_view_reads_is_not_dropped(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, postgresql: Server
) -> None:
    assert ndcg("publish", postgresql.url).code == 0
    steps = "select count(*) from ndcg_sql.ndcg_steps"
    postgresql.execute(f"create view ndcg_sql.steps as {steps}")
    before = postgresql.rows(steps)
    monkeypatch.setattr(plan, "MOST_ROWS", 0)
    assert (
        "cannot drop table ndcg_sql.ndcg_steps because other objects depend on it"
        in ndcg("publish", postgresql.url).refusal
    )
    assert postgresql.rows(steps) == before
    postgresql.execute("drop view ndcg_sql.steps")
    assert ndcg("publish", postgresql.url).code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("marts")
def test_joins_are_declared_and_hold() -> None:
    assert execute("pragma foreign_key_check") == []
    engine = create_engine(MARTS)
    inspector = inspect(engine)
    keys = inspector.get_foreign_keys("comparisons")
    assert {(*key["constrained_columns"], key["referred_table"]) for key in keys} == {
        ("baseline_run_id", "runs"),
        ("candidate_run_id", "runs"),
        ("judgment_set_id", "judgment_sets"),
        ("measure", "measures"),
        ("dataset", "query_id", "queries"),
    }
    assert not inspector.get_foreign_keys("runs")
    for name, found in relations().items():
        for column in inspector.get_columns(name):
            assert column["nullable"] == found.may_be_null(column["name"])
    engine.dispose()


@pytest.mark.slow
@pytest.mark.usefixtures("marts")
def test_indexes_begin_with_what_people_filter_by() -> None:
    for table, condition, used in (
        ("query_values", "run = 'a' and measure = 'b' and query_id = 'c'", "by_run"),
        ("query_values", "run = 'a' and measure = 'b'", "by_run"),
        ("query_values", "query_id = 'c' and measure = 'b'", "by_query"),
        ("rankings", "run = 'a' and query_id = 'c'", "by_run"),
        ("judgments", "query_id = 'c'", "by_query"),
        ("comparisons", "baseline = 'a' and candidate = 'b'", "by_run"),
        ("run_comparisons", "baseline = 'a' and candidate = 'b'", "by_run"),
        ("run_values", "run = 'a' and measure = 'b'", "by_run"),
    ):
        [plan] = execute(f"explain query plan select * from {table} where {condition}")
        assert f"USING INDEX {table}_{used} (" in plan[-1], (table, condition)


@pytest.mark.slow
@pytest.mark.usefixtures("marts")
def test_an_added_column_stays(ndcg: Command) -> None:
    execute(
        "alter table runs add column owner text",
        "alter table query_values add column team text not null default 'search'",
        "alter table query_values add column rounded as (round(value, 2))",
        "update runs set owner = 'Ann'",
    )
    assert "is up to date" in ndcg("publish", MARTS).err
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    result = ndcg("publish", MARTS)
    assert result.code == 0, result.err
    assert execute("select distinct team from query_values") == [("search",)]
    [(count, rounded)] = execute("select count(*), count(rounded) from query_values")
    assert count == rounded > 0
    assert execute("select run from runs order by 1") == [("base",), ("late",)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            "dataset, run, run_id, tag, tag_value, mine text not null",
            "NOT NULL constraint failed: run_tags.mine",
        ),
        (
            "dataset, run, run_id, label, tag_value",
            "table run_tags has no column named tag",
        ),
    ],
)
def test_a_changed_table_is_refused_for_its_reason(
    ndcg: Command, loaded: Path, columns: str, message: str
) -> None:
    assert ndcg("publish", MARTS).code == 0
    execute("drop table run_tags", f"create table run_tags ({columns})")
    assert ndcg("tag", "run", "base", "model=a").code == 0
    before = Path("marts.db").read_bytes()
    assert ndcg("publish", MARTS).refusal == f"{MARTS}: {message}\n"
    assert Path("marts.db").read_bytes() == before
    execute("drop table run_tags")
    assert ndcg("publish", MARTS).code == 0
    assert loaded.exists()
