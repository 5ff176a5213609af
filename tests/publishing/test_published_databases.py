"""Publishing to other databases: all of it, only what changed, no secret told."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, func, inspect, select
from sqlalchemy.ext.automap import automap_base

from ndcg_sql import models
from ndcg_sql.database import views
from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import databases
from support import exploring, servers
from support.commands import Command
from support.files import RUN, in_folder
from support.published import assert_equal
from support.scripts import scripted
from support.servers import PASSWORD, Server, Serving

pytestmark = [pytest.mark.mostly_slow, pytest.mark.usefixtures("loaded")]


@pytest.mark.parametrize(
    "kind", exploring.sampled([sqlite3.OperationalError, KeyboardInterrupt], 2)
)
def test_a_first_publication_that_fails_leaves_nothing(
    ndcg: Command,
    loaded: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[BaseException],
) -> None:
    def fail(*_: object) -> None:
        raise kind

    for stopped in ("append", "_held"):
        with monkeypatch.context() as patched:
            patched.setattr(databases, stopped, fail)
            assert ndcg("publish", "sqlite:///marts.db").code != 0
        assert in_folder(loaded.parent) == [loaded.name]
    assert ndcg("publish", "sqlite:///marts.db").code == 0
    assert in_folder(loaded.parent) == ["marts.db", loaded.name]


PUBLIC = sorted(views.public())
test_script = scripted(__file__)


def test_sqlite_keeps_what_is_not_ours_and_is_sent_only_what_changed(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "sqlite:///marts.db"
    assert ndcg("publish", url).code == 0
    with closing(sqlite3.connect("marts.db")) as connection, connection:
        connection.execute("create table mine (a)")
        connection.execute("create view best as select max(value) from run_values")
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    sent: list[str] = []
    append = databases.append

    def noted(tables: Any, database: Any, relation: Any, rows: str, path: Path) -> None:
        sent.append(rows)
        append(tables, database, relation, rows, path)

    monkeypatch.setattr(databases, "append", noted)
    assert ndcg("publish", url).code == 0
    [rankings] = [sql for sql in sent if "main.rankings" in sql]
    assert "where run_id = 2 " in rankings
    # A table that somebody dropped is made again.
    with closing(sqlite3.connect("marts.db")) as connection, connection:
        connection.execute("drop table judgments")
    assert ndcg("remove", "run", "base").code == 0
    assert ndcg("publish", url).code == 0
    assert_equal(url)


@pytest.fixture
def fresh(postgresql: Server) -> Iterator[Server]:
    """Return a PostgreSQL server without the schemas that tests make."""
    yield postgresql
    for schema in ("ndcg_sql", "theirs"):
        postgresql.execute(f"drop schema if exists {schema} cascade")


def test_postgresql_gets_all_and_keeps_grants_and_views(
    ndcg: Command, fresh: Server
) -> None:
    Path("late").write_text(RUN)
    result = ndcg("publish", fresh.url)
    assert result.code == 0, result.err
    assert PASSWORD not in result.err
    fresh.execute(
        "create view ndcg_sql.best as select max(value) as v from ndcg_sql.run_values",
        "create role analyst",
        "grant select on ndcg_sql.run_values to analyst",
    )
    granted = (
        "select count(*) from information_schema.role_table_grants"
        " where grantee = 'analyst'"
    )
    assert fresh.rows(granted) == [(1,)]
    assert ndcg("load", "run", "late").code == 0
    assert ndcg("publish", fresh.url).code == 0
    assert_equal(fresh.url)
    assert fresh.rows(granted) == [(1,)]
    assert len(fresh.rows("select v from ndcg_sql.best")) == 1
    fresh.execute("drop owned by analyst", "drop role analyst")


def test_postgresql_has_keys_comments_and_bigints(ndcg: Command, fresh: Server) -> None:
    assert ndcg("publish", fresh.url, "--schema", "theirs").code == 0
    engine = create_engine(fresh.url)
    inspector = inspect(engine)
    for name in PUBLIC:
        found = relations()[name]
        comment: Any = inspector.get_table_comment(name, schema="theirs")
        assert comment["text"] == found.comment
        columns: Any = inspector.get_columns(name, schema="theirs")
        assert all(column["comment"] for column in columns)
        key = inspector.get_pk_constraint(name, schema="theirs")
        wanted = [] if found.nullable else list(found.key)
        assert key["constrained_columns"] == wanted
    types = "select data_type from information_schema.columns where table_schema ="
    types += " 'theirs' and table_name = 'slice_values' and column_name = 'answered'"
    assert fresh.rows(types) == [("bigint",)]
    base: Any = automap_base()
    base.prepare(autoload_with=engine, schema="theirs")
    assert "query_values" in base.classes
    engine.dispose()


def test_a_schema_of_others_is_refused(ndcg: Command, fresh: Server) -> None:
    fresh.execute("create schema theirs", "create table theirs.runs (a int)")
    result = ndcg("publish", fresh.url, "--schema", "theirs")
    assert 'schema "theirs" has tables that ndcg-sql did not publish' in result.refusal
    assert PASSWORD not in result.err
    assert fresh.rows("select count(*) from theirs.runs") == [(0,)]


def test_no_reader_sees_half(ndcg: Command, fresh: Server) -> None:
    assert ndcg("publish", fresh.url).code == 0
    seen: list[tuple[Any, ...]] = []
    done = threading.Event()

    def read() -> None:
        runs = select(func.count()).select_from(models.runs).scalar_subquery()
        ranked = select(func.count(models.rankings.c.run_id.distinct()))
        valued = select(func.count(models.query_values.c.run_id.distinct()))
        both = select(runs, ranked.scalar_subquery(), valued.scalar_subquery())
        options = {"schema_translate_map": {None: "ndcg_sql"}}
        engine = create_engine(fresh.url, execution_options=options)
        while not done.is_set():
            with engine.connect() as connection:
                seen.append(tuple(connection.execute(both).one()))
        engine.dispose()

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for n in range(4):
            Path(f"run{n}").write_text(RUN)
            assert ndcg("load", "run", f"run{n}").code == 0
            assert ndcg("publish", fresh.url).code == 0
    finally:
        done.set()
        reader.join()
    assert len(seen) > 10
    assert {len(set(counts)) for counts in seen} == {1}
    assert seen[-1][0] >= 4


@pytest.mark.parametrize("step", ["_replace", "_copy"])
def test_a_failure_leaves_the_database_as_it_was(
    ndcg: Command,
    fresh: Server,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
) -> None:
    usual = getattr(databases, step)

    def ended(*arguments: Any) -> None:
        if "name='rankings'" in repr(arguments):
            fresh.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )
        usual(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(databases, step, ended)
        result = ndcg("publish", fresh.url)
    assert result.refusal.startswith("postgresql+psycopg://tester:***@127.0.0.1:")
    assert result.err.count("\n") == 1
    assert PASSWORD not in result.err
    there = "select count(*) from information_schema.schemata where schema_name ="
    assert fresh.rows(f"{there} 'ndcg_sql'") == [(0,)]
    assert ndcg("publish", fresh.url).code == 0
    assert_equal(fresh.url)


def test_postgresql_gets_any_text_and_schemas_of_any_name(
    ndcg: Command, fresh: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    for schema in ("ndcg_sql", '50% of "ours"'):
        result = ndcg("publish", fresh.url, "--schema", schema)
        assert result.code == 0, result.err
    monkeypatch.delenv("PGCLIENTENCODING")
    assert_equal(fresh.url)
    fresh.execute('drop schema "50% of ""ours""" cascade')


def test_mariadb_tells_names_apart_that_differ_in_case_or_blanks(
    ndcg: Command, mariadb: Server
) -> None:
    Path("late").write_text("q1 Q0 a 1 1 t\n")
    Path("blank.csv").write_text('query_id,doc_id,score\n"q1",a,1\n"q1 ",a,1\n')
    for dataset in ("Shop", "shop"):
        assert ndcg("load", "run", "late", "--dataset", dataset).code == 0
    assert ndcg("load", "run", "blank.csv", "--name", "blank").code == 0
    for name in ("a", "b", "c"):
        result = ndcg("publish", mariadb.url)
        assert result.code == 0, result.err
        assert_equal(mariadb.url)
        assert "is up to date" in ndcg("publish", mariadb.url).err
        tag = ("tag", "run", "late", f"model={name}", "--dataset", "Shop")
        assert ndcg(*tag).code == 0


@pytest.mark.parametrize(
    ("serve", "left", "runs"),
    [
        (
            servers.postgresql,
            "pg_tables where schemaname = 'ndcg_sql'",
            "ndcg_sql.runs",
        ),
        # It keeps the tables of a transaction that was not committed, without rows.
        (servers.mariadb, "runs", "runs"),
    ],
    ids=["postgresql", "mariadb"],
)
def test_a_killed_server_has_nothing_and_gets_all_the_next_time(
    ndcg: Command,
    loaded: Path,
    monkeypatch: pytest.MonkeyPatch,
    serve: Callable[[], Serving],
    left: str,
    runs: str,
) -> None:
    before = loaded.read_bytes()
    with serve() as server:
        usual = databases.append

        def killed(tables: Any, database: Any, relation: Any, *rest: Any) -> None:
            if relation.name == "rankings":
                server.kill()
            usual(tables, database, relation, *rest)

        with monkeypatch.context() as patched:
            patched.setattr(databases, "append", killed)
            done = ndcg("publish", server.url)
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"{server.url.split(':')[0]}://tester:***@")
        assert PASSWORD not in done.err
        assert loaded.read_bytes() == before
        server.run()
        assert server.rows(f"select count(*) from {left}") == [(0,)]
        again = ndcg("publish", server.url)
        assert again.code == 0, again.err
        assert server.rows(f"select run from {runs}") == [("base",)]
