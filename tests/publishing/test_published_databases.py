"""Publishing to other databases: all of it, only what changed, no secret told."""

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine, func, inspect, select
from sqlalchemy.ext.automap import automap_base

from ndcg_sql import models
from ndcg_sql.database import views
from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import databases
from support import exploring, servers
from support.commands import Command, Once
from support.files import RUN, in_folder
from support.servers import PASSWORD, Server

pytestmark = pytest.mark.mostly_slow


@pytest.fixture(scope="module")
def mariadb() -> Iterator[Server]:
    """Start a server whose database nobody else fills."""
    with servers.mariadb() as server:
        yield server


PUBLIC = sorted(views.public())
HOSTILE = "q1'; drop table runs; --"
ODD = ("\\N", 'a "quoted" id, with a comma', "line", " blank ", "NULL", "ÄÖ≠🎈")


@pytest.fixture
def world(ndcg: Command, here: Path, once: Once) -> Path:
    """Return a warehouse with hostile ids, infinite scores and nulls."""

    def fill() -> None:
        assert ndcg("demo").code == 0
        ids = [HOSTILE, *ODD]
        with duckdb.connect() as connection:
            rows = ", ".join(f"({n}, $q{n})" for n in range(len(ids)))
            named = {f"q{n}": text for n, text in enumerate(ids)}
            connection.execute(
                f"create table ids as select * from (values {rows}) t(n, id)", named
            )
            connection.execute(
                "copy (select id as query_id, id as doc_id, n % 3 as grade from ids)"
                " to 'odd.parquet'"
            )
            connection.execute(
                "copy (select id as query_id, id as doc_id,"
                " case when n = 0 then 'inf'::double else n end as score from ids)"
                " to 'odd_run.parquet'"
            )
        odd = ("--dataset", "it's odd")
        assert ndcg("load", "judgments", "odd.parquet", *odd).code == 0
        assert ndcg("load", "run", "odd_run.parquet", *odd).code == 0
        Path("late").write_text(RUN)

    once(fill)
    return here / "ndcg.duckdb"


def stored(world: Path, name: str) -> list[tuple[Any, ...]]:
    """Return the rows of a public relation of the warehouse."""
    with duckdb.connect(str(world), read_only=True) as connection:
        return sorted(connection.execute(f"from {name}").fetchall(), key=repr)


def assert_equal(world: Path, url: str, schema: str | None) -> None:
    """Compare every public relation with what a database has."""
    options = {"schema_translate_map": {None: schema}}
    engine = create_engine(url, execution_options=options)
    with engine.connect() as connection:
        for name in PUBLIC:
            rows = connection.execute(select(models.metadata.tables[name]))
            found = sorted((tuple(row) for row in rows), key=repr)
            assert found == stored(world, name), name
    engine.dispose()


def test_sqlite_gets_all_and_then_only_what_changed(
    ndcg: Command, world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "sqlite:///marts.db"
    monkeypatch.setattr(databases, "_ROWS_AT_ONCE", 29)
    assert ndcg("publish", url).err == f'published "{url}": the tables of a database\n'
    assert_equal(world, url, None)
    again = ndcg("publish", url)
    assert again.err == f'"{url}" is up to date; nothing to publish\n'
    with sqlite3.connect("marts.db") as connection:
        connection.execute("create table mine (a)")
        connection.execute("create view best as select max(value) from run_values")
    connection.close()
    assert ndcg("load", "run", "late", "--dataset", "demo").code == 0
    assert ndcg("rename", "run", "bm25", "first", "--dataset", "demo").code == 0
    sent: list[str] = []
    append = databases.append

    def noted(tables: Any, database: Any, relation: Any, rows: str, path: Path) -> None:
        sent.append(rows)
        append(tables, database, relation, rows, path)

    monkeypatch.setattr(databases, "append", noted)
    assert ndcg("publish", url).code == 0
    assert_equal(world, url, None)
    [rankings] = [sql for sql in sent if "main.rankings" in sql]
    assert "where run_id in (2, 5)" in rankings
    with sqlite3.connect("marts.db") as connection:
        connection.execute("drop table judgments")
    connection.close()
    assert ndcg("remove", "dataset", "demo").code == 0
    assert ndcg("publish", url).code == 0
    assert_equal(world, url, None)


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

    def made(*_: object) -> None:
        Path("marts.db").write_text("of somebody else")

    for stopped in ("append", "_held"):
        with monkeypatch.context() as patched:
            patched.setattr(databases, stopped, fail)
            assert ndcg("publish", "sqlite:///marts.db").code != 0
        assert in_folder(loaded.parent) == [loaded.name]
    with monkeypatch.context() as patched:
        patched.setattr(databases, "_write", made)
        result = ndcg("publish", "sqlite:///marts.db")
    assert (result.code, result.out, result.err) == (
        2,
        "",
        "sqlite:///marts.db: another program made it meanwhile; try again\n",
    )
    assert Path("marts.db").read_text() == "of somebody else"
    Path("marts.db").unlink()
    assert ndcg("publish", "sqlite:///marts.db").code == 0
    assert in_folder(loaded.parent) == ["marts.db", loaded.name]


def test_what_others_have_is_refused(ndcg: Command, loaded: Path) -> None:
    with sqlite3.connect("theirs.db") as connection:
        connection.execute("create table precious (a)")
    connection.close()
    before = Path("theirs.db").read_bytes()
    assert ndcg("publish", "sqlite:///theirs.db").refusal == (
        "sqlite:///theirs.db: the database has tables that ndcg-sql did not publish"
        ' ("precious"); name another file\n'
    )
    assert Path("theirs.db").read_bytes() == before
    Path("text.db").write_text("no database, but a long enough text" * 100)
    result = ndcg("publish", "sqlite:///text.db")
    assert result.refusal == "sqlite:///text.db: file is not a database\n"
    assert loaded.exists()


@pytest.mark.quick
@pytest.mark.parametrize(
    ("url", "message"),
    [
        (
            f"postgresql://me:{PASSWORD.replace('@', '%40').replace('/', '%2F')}"
            "@127.0.0.1:1/x?sslpassword=hush",
            "postgresql://me:***@127.0.0.1:1/x: ",
        ),
        ("nosuch://me:s3cr3t@host/x", "nosuch://me:***@host/x: SQLAlchemy knows no"),
        ("mssql+nosuch://me:s3cr3t@host/x", "mssql+nosuch://me:***@host/x: "),
        ("://s3cr3t", "publish: not the URL of a database, such as "),
        ("pg://me:s3cr3t@host:port/x", "publish: not the URL of a database"),
        ("duckdb:///bi.duckdb", "duckdb://…: name the file itself: FILE.duckdb\n"),
        ("sqlite://", "sqlite://: no file; name one: sqlite:///marts.db\n"),
        ("sqlite:marts.db", "publish: not the URL of a database, such as "),
        ("Postgres:s3cr3t", "publish: not the URL of a database, such as "),
        ("s3://bucket/marts/", "publish: object stores and websites are not written"),
        ("", "publish: an empty name; name a file, a folder or a URL\n"),
    ],
)
def test_an_address_that_does_not_answer_is_one_line_without_secrets(
    ndcg: Command, loaded: Path, url: str, message: str
) -> None:
    result = ndcg("publish", url)
    assert result.refusal.startswith(message)
    assert result.err.count("\n") == 1
    assert "s3cr3t" not in result.err
    assert "hush" not in result.err
    assert loaded.exists()


@pytest.mark.quick
def test_a_path_that_was_meant_to_be_absolute_is_told(
    ndcg: Command, loaded: Path
) -> None:
    assert ndcg("publish", "sqlite:///tmp/d/marts.db").refusal == (
        f"sqlite:///tmp/d/marts.db: the directory {loaded.parent}/tmp/d does not exist;"
        " four slashes come before an absolute path: sqlite:////tmp/d/marts.db\n"
    )
    gone = f"{loaded.parent}/d"
    assert ndcg("publish", f"sqlite:///{gone}/marts.db").refusal == (
        f"sqlite:///{gone}/marts.db: the directory {gone} does not exist\n"
    )


@pytest.mark.quick
def test_a_schema_is_only_for_databases(ndcg: Command, loaded: Path) -> None:
    result = ndcg("publish", "bi", "--schema", "marts")
    assert result.refusal == "--schema: only with the URL of a database\n"
    result = ndcg("publish", "sqlite:///marts.db", "--schema", "marts")
    assert result.refusal == "--schema: SQLite has no schemas; name another file\n"
    result = ndcg("publish", "postgresql://127.0.0.1:1/x", "--schema", "")
    assert result.err == "--schema: an empty name; omit it, or name one\n"
    assert not Path("marts.db").exists()
    assert loaded.exists()


@pytest.fixture
def fresh(postgresql: Server) -> Iterator[Server]:
    """Return a PostgreSQL server without the schemas that tests make."""
    yield postgresql
    for schema in ("ndcg_sql", "theirs"):
        postgresql.execute(f"drop schema if exists {schema} cascade")


def test_postgresql_gets_all_and_keeps_grants_and_views(
    ndcg: Command, world: Path, fresh: Server
) -> None:
    result = ndcg("publish", fresh.url)
    assert result.code == 0, result.err
    assert PASSWORD not in result.err
    assert_equal(world, fresh.url, "ndcg_sql")
    assert "is up to date" in ndcg("publish", fresh.url).err
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
    assert ndcg("load", "run", "late", "--dataset", "demo").code == 0
    assert ndcg("publish", fresh.url).code == 0
    assert_equal(world, fresh.url, "ndcg_sql")
    assert fresh.rows(granted) == [(1,)]
    assert len(fresh.rows("select v from ndcg_sql.best")) == 1
    fresh.execute("drop owned by analyst", "drop role analyst")


def test_postgresql_has_keys_comments_and_bigints(
    ndcg: Command, world: Path, fresh: Server
) -> None:
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
    assert world.exists()


def test_a_schema_of_others_is_refused(
    ndcg: Command, loaded: Path, fresh: Server
) -> None:
    fresh.execute("create schema theirs", "create table theirs.runs (a int)")
    result = ndcg("publish", fresh.url, "--schema", "theirs")
    assert 'schema "theirs" has tables that ndcg-sql did not publish' in result.refusal
    assert PASSWORD not in result.err
    assert fresh.rows("select count(*) from theirs.runs") == [(0,)]
    assert loaded.exists()


def test_no_reader_sees_half(ndcg: Command, loaded: Path, fresh: Server) -> None:
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
    assert loaded.exists()


@pytest.mark.parametrize("step", ["_replace", "_copy"])
def test_a_failure_leaves_the_database_as_it_was(
    ndcg: Command,
    world: Path,
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
    assert_equal(world, fresh.url, "ndcg_sql")


def test_postgresql_gets_any_text_and_schemas_of_any_name(
    ndcg: Command, world: Path, fresh: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    for schema in ("ndcg_sql", '50% of "ours"'):
        result = ndcg("publish", fresh.url, "--schema", schema)
        assert result.code == 0, result.err
    monkeypatch.delenv("PGCLIENTENCODING")
    assert_equal(world, fresh.url, "ndcg_sql")
    fresh.execute('drop schema "50% of ""ours""" cascade')


def test_mariadb_tells_names_apart_that_differ_in_case_or_blanks(
    ndcg: Command, loaded: Path, mariadb: Server
) -> None:
    Path("late").write_text("q1 Q0 a 1 1 t\n")
    Path("blank.csv").write_text('query_id,doc_id,score\n"q1",a,1\n"q1 ",a,1\n')
    for dataset in ("Shop", "shop"):
        assert ndcg("load", "run", "late", "--dataset", dataset).code == 0
    assert ndcg("load", "run", "blank.csv", "--name", "blank").code == 0
    for name in ("a", "b", "c"):
        result = ndcg("publish", mariadb.url)
        assert result.code == 0, result.err
        assert_equal(loaded, mariadb.url, None)
        assert "is up to date" in ndcg("publish", mariadb.url).err
        tag = ("tag", "run", "late", f"model={name}", "--dataset", "Shop")
        assert ndcg(*tag).code == 0


def test_mariadb_gets_all(ndcg: Command, loaded: Path, mariadb: Server) -> None:
    result = ndcg("publish", mariadb.url)
    assert result.code == 0, result.err
    assert_equal(loaded, mariadb.url, None)
    assert "is up to date" in ndcg("publish", mariadb.url).err
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert ndcg("publish", mariadb.url).code == 0
    assert_equal(loaded, mariadb.url, None)
