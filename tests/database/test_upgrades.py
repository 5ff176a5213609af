"""Warehouses of other versions: which tables and views they have, and upgrades."""

import shutil
import signal
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.database.views import View
from ndcg_sql.evaluation.values import refill
from support.commands import Command
from support.files import QRELS, RUN, change, digest, shown, tables
from support.kills import UPGRADE, killed, moments, untraceable, warm
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow
# The tables and the column of each of these migrations.
MADE = ("mu", "nu", "more_copies")


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put a warehouse and files to load into place."""
    for name, text in (("qrels", QRELS), ("late", RUN)):
        (loaded.parent / name).write_text(text)
    return loaded


def test_what_older_views_stored_is_stored_anew(ndcg: Command, files: Path) -> None:
    right = tables(files)
    report = ndcg("report", "--format", "csv").out
    change(
        files,
        "update store.stored_values set value = 0.5",
        "update store.stored_run_values set value = 0.5",
        "delete from store.hits where doc_id = 'a'",
        "update store.run_queries set retrieved = 3",
        "update store.evaluations set answered = 7",
        # What a kill can leave.
        "insert into store.evaluations values (99, 1, 1, 0, 0)",
        "create table store.last_block as select 1 as n",
        "update store.sql_files set checksum = 'old' where path = 'sql/views'",
    )
    assert ndcg("report").code == 2
    result = ndcg("evaluate")
    assert result.code == 0
    assert result.err == (
        "ndcg.duckdb: removed 1 row that an interrupted command left behind\n"
        "ndcg.duckdb: its views were from another version of ndcg-sql; replaced them"
        " and recomputed the values of 1 evaluation\n"
        "all of these are already evaluated; nothing to do\n"
    )
    assert ndcg("report", "--format", "csv").out == report
    left = tables(files)
    for table in left.keys() - {"sql_files"}:
        assert left[table] == right[table], table


test_script = scripted(__file__)


def migrated(
    monkeypatch: pytest.MonkeyPatch, *statements: str, more: tuple[View, ...] = ()
) -> None:
    """Make this version know further migrations, one a statement, and views."""
    known = dict(sql_files.migrations())
    for n, text in enumerate(statements, start=len(known) + 1):
        known[f"migrations/{n:04}_more.sql"] = text
    all_views = {**views.computing(), **{view.name: view for view in more}}
    monkeypatch.setattr(sql_files, "migrations", lambda: known)
    monkeypatch.setattr(views, "computing", lambda: all_views)
    monkeypatch.setattr(views, "checksum", lambda: "changed")


ADD_MU = "alter table runs add column mu double"
ADD_NU = "alter table runs add column nu double"
OF_NU = View("run_nus", "select runs.run_id, runs.nu from runs", "One row is x.")


def test_an_older_warehouse_is_upgraded_by_the_first_command_that_writes(
    ndcg: Command, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(files)
    report = ndcg("report").out
    migrated(monkeypatch, ADD_MU)

    unchanged = digest(files)
    assert ndcg("report").refusal == (
        "ndcg.duckdb: made by an older ndcg-sql; what writes to it next, such as a"
        " load, upgrades it\n"
    )
    assert digest(files) == unchanged

    assert ndcg("measures", "add", "nDCG@10").code == 0
    assert ndcg("report").out == report
    after = tables(files)
    assert after["rankings"] == before["rankings"]
    assert [row[-1] for row in after["runs"]] == [None]
    paths = shown("select path from store.sql_files order by 1", files)
    known = [*sql_files.migrations()]
    assert known[-1].endswith("_more.sql")
    assert paths == [(path,) for path in (*known, "sql/views")]
    added = "select run_id, mu from store.runs"
    assert shown(added, files) == [(1, None)]


def test_views_may_need_the_last_of_several_migrations(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrated(monkeypatch, ADD_MU, ADD_NU, more=(OF_NU,))
    opening.write(files, refill).close()
    assert shown("from store.run_nus", files) == [(1, None)]


def test_a_migration_that_fails_leaves_the_older_warehouse(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tables(files)
    migrated(monkeypatch, "alter table runs add column mu double; from nothing")
    with pytest.raises(duckdb.Error):
        opening.write(files, refill)
    assert tables(files) == before


@pytest.mark.slow
def test_a_kill_in_an_upgrade_leaves_whole_migrations(
    files: Path, tmp_path: Path
) -> None:
    if why := untraceable():
        pytest.skip(why)
    arguments = ["evaluate", "--threads", "1"]
    start = tmp_path.with_name("start")
    shutil.copytree(tmp_path, start)
    before = tables(files)
    reached: set[int] = set()
    with warm(tmp_path, UPGRADE) as command:
        every = moments(command, arguments, tmp_path)
        for moment in (moment for moment in every if moment[0] == "fsync"):
            shutil.copytree(start, tmp_path, dirs_exist_ok=True)
            files.with_name("ndcg.duckdb.wal").unlink(missing_ok=True)
            assert killed(command, arguments, moment) == -signal.SIGKILL, moment
            paths = (
                "select path from store.sql_files where path like 'more/%' order by 1"
            )
            own = [path for (path,) in shown(paths, files)]
            assert own == [f"more/{n}" for n in range(len(own))]
            names = "select {0}_name from duckdb_{0}s() where schema_name = 'store'"
            there = {
                name
                for kind in ("table", "column")
                for (name,) in shown(names.format(kind), files)
            }
            assert [name in there for name in MADE] == [n < len(own) for n in range(3)]
            reached.add(len(own))
            now = tables(files)
            for table in before.keys() - {"sql_files"}:
                assert len(now[table]) == len(before[table]), table
            # The next command that writes does what is left.
            assert command(arguments) == 0
            views_of = "select checksum from store.sql_files where path = 'sql/views'"
            assert shown(views_of, files) == [("changed",)]
    assert reached == {0, 1, 2, 3}
