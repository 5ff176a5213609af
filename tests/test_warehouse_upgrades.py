"""Warehouses of other versions: which tables and views they have, and upgrades."""

import re
from pathlib import Path

import duckdb
import pytest
from conftest import QRELS, RUN, Command, digest, tables
from test_warehouse import change, rows

from ndcg_sql import sqlfiles
from ndcg_sql.sqlfiles import Migration, View
from ndcg_sql.warehouse import Warehouse


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put a warehouse and files to load into place."""
    for name, text in (("qrels", QRELS), ("late", RUN)):
        (loaded.parent / name).write_text(text)
    return loaded


def test_views_are_replaced_when_their_text_changed(files: Path) -> None:
    count = "select count(*) from run_values"
    right = rows(files, count)
    change(
        files,
        "create or replace view run_values as select 1 as n where false",
        "update sql_files set checksum = 'old' where path = 'sql/views'",
    )
    Warehouse.write(files).close()
    assert rows(files, count) == right
    checksum = "select checksum from sql_files where path = 'sql/views'"
    assert rows(files, checksum) == [(sqlfiles.views_checksum(),)]


def test_older_views_are_not_read_as_if_they_were_ours(
    ndcg: Command, files: Path
) -> None:
    change(
        files,
        "create or replace view run_values as select * from stored_run_values",
        "update sql_files set checksum = 'old' where path = 'sql/views'",
    )
    unchanged = digest(files)
    result = ndcg("report")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "ndcg.duckdb: its views are those of another ndcg-sql; the next command that"
        " writes, such as evaluate, renews them and what was stored from them\n"
    )
    assert digest(files) == unchanged
    assert ndcg("load", "run", "late").code == 0
    assert ndcg("report").code == 0


def test_what_older_views_stored_is_stored_anew(ndcg: Command, files: Path) -> None:
    right = tables(files)
    report = ndcg("report", "--format", "csv").out
    change(
        files,
        "update stored_values set value = 0.5",
        "update stored_run_values set value = 0.5",
        "delete from hits where doc_id = 'a'",
        "update run_queries set retrieved = 3",
        "update evaluations set answered = 7",
        "update sql_files set checksum = 'old' where path = 'sql/views'",
    )
    assert ndcg("report").code == 2
    result = ndcg("evaluate")
    assert result.code == 0
    assert result.err == (
        "ndcg.duckdb: its views were those of another ndcg-sql; they are renewed, and"
        " with them the values of 1 evaluation\n"
        "all of these are evaluated already; nothing to do\n"
    )
    assert ndcg("report", "--format", "csv").out == report
    left = tables(files)
    for table in left.keys() - {"sql_files"}:
        assert left[table] == right[table], table


def migrated(
    monkeypatch: pytest.MonkeyPatch, *statements: str, views: tuple[View, ...] = ()
) -> None:
    """Make this version know further migrations, one a statement, and views."""
    made = [
        Migration(n, f"migrations/{n:04}_more.sql", text, sqlfiles.checksum(text))
        for n, text in enumerate(statements, start=len(sqlfiles.migrations()) + 1)
    ]
    known = [*sqlfiles.migrations(), *made]
    all_views = [*sqlfiles.views(), *views]
    names = [*sqlfiles.relations(), *(view.name for view in views)]
    monkeypatch.setattr(sqlfiles, "migrations", lambda: known)
    monkeypatch.setattr(sqlfiles, "views", lambda: all_views)
    monkeypatch.setattr(sqlfiles, "relations", lambda: names)
    monkeypatch.setattr(sqlfiles, "views_checksum", lambda: "changed")


ADD_ALPHA = "alter table runs add column alpha double"
ADD_BETA = "alter table runs add column beta double"
OF_BETA = View("run_betas", "select runs.run_id, runs.beta from runs", "One row is x.")


def test_an_older_warehouse_is_upgraded_by_the_first_command_that_writes(
    ndcg: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(files)
    report = ndcg("report").out
    migrated(monkeypatch, ADD_ALPHA)

    unchanged = digest(files)
    result = ndcg("report")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "ndcg.duckdb: made by an older ndcg-sql; the next command that writes, such"
        " as load, upgrades it\n"
    )
    assert digest(files) == unchanged

    assert ndcg("measures", "add", "nDCG@10").code == 0
    assert ndcg("report").out == report
    after = tables(files)
    assert after["rankings"] == before["rankings"]
    assert [row[-1] for row in after["runs"]] == [None]
    paths = rows(files, "select path from sql_files order by 1")
    known = [migration.path for migration in sqlfiles.migrations()]
    assert known[-1].endswith("_more.sql")
    assert paths == [(path,) for path in (*known, "sql/views")]
    comment = (
        "select comment from duckdb_columns()"
        " where table_name = 'runs' and column_name = 'alpha'"
    )
    assert rows(files, comment) == [("parameter alpha of a diversity measure",)]


def test_a_warehouse_of_the_first_tables_is_upgraded_and_keeps_its_values(
    ndcg: Command, files: Path
) -> None:
    report = ndcg("report", "--format", "csv").out
    rows_before = tables(files)
    newer = files.rename(files.with_name("newer.duckdb"))
    first = sqlfiles.migrations()[0]
    with duckdb.connect(str(files)) as connection:
        connection.execute(first.text)
        connection.execute("delete from measures")
        connection.execute(f"attach '{newer}' as newer (read_only)")
        for name in ("sql_files", *re.findall(r"create table (\w+)", first.text)):
            if name == "sql_files":
                connection.execute(f"create table {name} as from newer.{name}")
                connection.execute(f"delete from {name} where path <> '{first.path}'")
                continue
            columns = ", ".join(
                column
                for (column,) in connection.execute(
                    "select column_name from duckdb_columns() where table_name = $name"
                    " and database_name = current_database() order by column_index",
                    {"name": name},
                ).fetchall()
            )
            sql = f"insert into {name} ({columns}) select {columns} from newer.{name}"
            connection.execute(sql)

    result = ndcg("report")
    assert (result.code, result.out) == (2, "")
    assert "made by an older ndcg-sql; the next command that writes" in result.err
    assert ndcg("measures", "add", "IPrec@0.5").code == 0
    assert ndcg("measures", "remove", "IPrec@0.5").code == 0
    assert ndcg("report", "--format", "csv").out == report
    left = tables(files)
    for table in left.keys() - {"sql_files"}:
        assert left[table] == rows_before[table], table
    summaries = rows(files, "select distinct summary from measures")
    assert summaries == [("mean",)]


def test_views_may_need_the_last_of_several_migrations(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrated(monkeypatch, ADD_ALPHA, ADD_BETA, views=(OF_BETA,))
    Warehouse.write(files).close()
    assert rows(files, "from run_betas") == [(1, None)]


def test_a_migration_that_fails_leaves_the_older_warehouse(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(files)
    migrated(monkeypatch, "alter table runs add column alpha double; from nothing")
    with pytest.raises(duckdb.Error):
        Warehouse.write(files)
    assert tables(files) == before


def test_a_changed_migration_is_refused(ndcg: Command, files: Path) -> None:
    change(files, "update sql_files set checksum = 'x' where path like 'migrations/%'")
    before = digest(files)
    for command in (["report"], ["load", "run", "late"]):
        result = ndcg(*command)
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "ndcg.duckdb: its tables were made by another migrations/0001_warehouse.sql"
            " than this one; use the ndcg-sql that made the file\n"
        )
    assert digest(files) == before
