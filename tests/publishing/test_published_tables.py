"""What is found wherever one publishes: all of it, and only changes are sent.

BI tools find tables in a database, with rows, joins, indexes, added columns.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine, inspect

from ndcg_sql import models
from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import databases, plan
from support.commands import Command, Once
from support.files import RUN
from support.published import assert_equal, listed
from support.servers import Server

MARTS = "sqlite:///marts.db"
LARGE = {name for name, found in relations().items() if found.may_be_left_out}
ODD = ("\\N", 'a "quoted" id, with a comma', "line", " blank ", "NULL", "ÄÖ≠🎈")
# Ids and a name of a dataset that a statement must quote.
HOSTILE = """
    copy (select id as query_id, id as doc_id, n % 3 as grade, n as score
    from (select unnest($ids) as id, unnest(range(7)) as n)) to 'odd.parquet'
"""
CHANGES = (
    *("tag run base model=a", "rename run base first", "measures add P@1"),
    *("measures remove P@1", "gains add own 1=3", "load queries queries.csv"),
    *("load queries attributes.csv", "load documents documents.csv"),
    *("load judgments more", "load assessments said.csv", "load run late"),
    *("remove run first", "remove dataset odd"),
)
FILES = {
    "late": RUN,
    "infinite": "q1 Q0 a 1 inf t\nq1 Q0 b 2 -inf t\n",
    "more": "q1 0 c 1\n",
    "queries.csv": "query_id,text,weight\nq1,shoes,2\n",
    "attributes.csv": "query_id,device\nq1,phone\n",
    "documents.csv": "doc_id,title\na,A title\n",
    "said.csv": "query_id,doc_id,assessor,grade\nq1,a,Ann,1\nq1,a,Bob,0\n",
}


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


@pytest.fixture
def world(ndcg: Command, loaded: Path, once: Once) -> Path:
    """Fill a warehouse, and write what changes it."""

    def fill() -> None:
        for name, text in FILES.items():
            Path(name).write_text(text)
        ids = ["q1'; drop table runs; --", *ODD]
        duckdb.execute(HOSTILE, {"ids": ids})
        for dataset in ("it's odd", "odd"):
            for kind in ("judgments", "run"):
                words = ("load", kind, "odd.parquet", "--dataset", dataset)
                assert ndcg(*words).code == 0

    once(fill)
    return loaded


@pytest.mark.slow
@pytest.mark.usefixtures("world")
def test_every_change_is_published(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(databases, "_ROWS_AT_ONCE", 29)
    # Each is compared with a file; a server takes seconds for that.
    steps = CHANGES if target == "bi.duckdb" else (*CHANGES[:2], " ", CHANGES[-1])
    if not target.startswith("mysql"):
        assert ndcg("load", "run", "infinite").code == 0
    told = ndcg("publish", target)
    assert told.code == 0, told.err
    assert_equal(target)
    for step in steps:
        assert not step.strip() or ndcg(*step.split()).code == 0, step
        told = ndcg("publish", target)
        is_same = f'"{target}" is up to date; nothing to publish\n'
        assert told.code == 0, told.err
        if "://" not in target or target.startswith("sqlite"):
            assert (told.err == is_same) == (not step.strip()), (step, told.err)
        assert_equal(target, what=step)


@pytest.mark.slow
def test_only_what_changed_is_computed_again(
    ndcg: Command, world: Path, computed: list[tuple[str, str]], target: str
) -> None:
    assert ndcg("publish", target).code == 0
    assert ndcg("load", "run", "late").code == 0
    computed.clear()
    assert ndcg("publish", target).code == 0
    parts = {part for name, part in computed if name in ("rankings", "query_values")}
    assert parts == {"4"}
    # No judgment changed, and so no ideal.
    for name in ("judgments", "ideal_rankings", "subtopic_judgments"):
        assert name not in [relation for relation, _ in computed]
    assert world.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_what_is_too_large_is_absent(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    assert ndcg("publish", target).code == 0
    assert listed(target) == {*relations()}
    with monkeypatch.context() as patched:
        patched.setattr(plan, "MOST_ROWS", 0)
        result = ndcg("publish", target)
        assert result.code == 0, result.err
        left_out = {*relations()} - listed(target)
        assert {"ndcg_steps"} <= left_out <= LARGE
        for name in left_out:
            assert f"warning: omitted {name}: up to " in result.err
        assert "is up to date" in ndcg("publish", target).err
    assert ndcg("publish", target).code == 0
    assert listed(target) == {*relations()}
