"""Rows of a database: which are read, which are refused, and what is never shown."""

import json
import os
import socket
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import urls
from support import exploring
from support.commands import Command
from support.libraries import library
from support.systems import posix

SECRET = "s3cr3t@w/rd"


@pytest.fixture
def shop(here: Path) -> Iterator[sqlite3.Connection]:
    """Return a SQLite database, shop.db, in the current directory."""
    connection = sqlite3.connect(here / "shop.db", isolation_level=None)
    connection.executescript(
        """
        create table clicks (user_id integer, item_id text, stars real);
        insert into clicks values (1, 'a', 5), (1, 'b', 1.5), (2, 'a', 0);
        create table ranked (model text, user_id integer, item_id text, score real);
        insert into ranked values
            ('als', 1, 'a', 0.1), ('als', 1, 'b', 0.30000000000000004),
            ('popular', 1, 'b', 7), ('popular', 2, 'a', 3);
        create table users (user_id integer, text text, country text, age integer);
        insert into users values (1, 'a
        b', 'fr', null), (2, '', 'de', 30);
        create table items (item_id text, title text);
        insert into items values ('a', 'A "quoted", title'), ('b', 'B');
        create table graded (user_id, item_id, grade, assessor);
        insert into graded values (1, 'a', 1, 'ann'), (1, 'a', 2, 'bo');
        """
    )
    yield connection
    connection.close()


def _rows(ndcg: Command, sql: str) -> list[dict[str, object]]:
    done = ndcg("query", sql, "--format", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.mark.slow
def test_every_kind_is_loaded(ndcg: Command, shop: sqlite3.Connection) -> None:  # noqa: ARG001
    given = ("--from", "sqlite:///shop.db", "--dataset", "shop")
    for arguments, told in (
        (
            ("judgments", "--table", "clicks", "--column", "grade=stars"),
            'loaded judgment set "clicks": 2 queries, 3 judgments\n',
        ),
        (
            ("run", "--table", "ranked", "--tag", "team=search"),
            'sqlite:///shop.db: 2 runs, named by column "model"\n'
            'loaded run "als": 1 query, 2 documents; evaluated with "clicks"\n'
            'loaded run "popular": 2 queries, 2 documents; evaluated with "clicks"\n',
        ),
        (("queries", "--table", "users"), 'loaded 2 queries of dataset "shop"'),
        (("documents", "--table", "main.items"), "loaded 2 documents"),
        (
            ("assessments", "--select", "select * from graded;", "--name", "both"),
            'loaded assessments "both": 1 query, 2 assessments of 2 assessors',
        ),
    ):
        done = ndcg("load", *arguments, *given)
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith(told)
    assert _rows(ndcg, "select run, source from runs order by run") == [
        {"run": "als", "source": "sqlite:///shop.db: ranked"},
        {"run": "popular", "source": "sqlite:///shop.db: ranked"},
    ]
    assert _rows(ndcg, "select query_id, text from queries order by 1") == [
        {"query_id": "1", "text": "a\n        b"},
        {"query_id": "2", "text": ""},
    ]
    titles = _rows(ndcg, "select title from documents order by doc_id")
    assert [row["title"] for row in titles] == ['A "quoted", title', "B"]


@pytest.mark.slow
def test_ids_and_texts_are_exact(ndcg: Command, shop: sqlite3.Connection) -> None:
    ids = [
        "\ufeffa",
        "\\N",
        "a\r\nb",
        "\r",
        'q"uo,te',
        "'",
        " x",
        "x ",
        "é\u2028",
        "%s",
    ]
    shop.execute("create table odd (query_id, doc_id, score)")
    rows = [(2**63 - 1, id_, at) for at, id_ in enumerate(ids)]
    shop.executemany("insert into odd values (?, ?, ?)", rows)
    done = ndcg("load", "run", "--from", "sqlite:///shop.db", "--table", "odd")
    assert done.code == 0, done.err
    with duckdb.connect("ndcg.duckdb", read_only=True) as connection:
        sql = "select query_id, doc_id from rankings order by score"
        found = connection.execute(sql).fetchall()
    assert found == [(str(2**63 - 1), id_) for id_ in ids]


@pytest.mark.slow
def test_a_colon_and_a_percent_are_no_parameters(
    ndcg: Command,
    shop: sqlite3.Connection,  # noqa: ARG001
) -> None:
    select = "select 'a:b' as query_id, '5%s' as doc_id, 1 as score"
    source = ("--from", "sqlite:///shop.db", "--select", select)
    assert ndcg("load", "run", *source, "--name", "x").code == 0
    assert _rows(ndcg, "select query_id, doc_id from rankings") == [
        {"query_id": "a:b", "doc_id": "5%s"}
    ]


@pytest.mark.slow
def test_another_duckdb_file_is_a_database_too(ndcg: Command) -> None:
    with duckdb.connect(str(Path("other.duckdb"))) as other:
        other.execute(
            "create table r as select 1 as query_id, uuid() as doc_id,"
            " 0.1::decimal(3, 1) as score, true as is_new"
        )
    given = ("--from", "duckdb:///other.duckdb", "--table", "r")
    done = ndcg("load", "run", *given)
    assert done.err.startswith('loaded run "r": 1 query, 1 document')
    done = ndcg("load", "run", *given, "--column", "query_id=is_new", "--name", "x")
    assert 'column "is_new" is BOOLEAN; ids are text or integers' in done.err
    done = ndcg("load", "run", *given, "--column", "query_id=score", "--name", "x")
    assert done.err.startswith("--column") or "is DECIMAL" in done.err


@pytest.mark.parametrize("url", ["duckdb:", "duckdb://", "duckdb:///:memory:"])
def test_duckdb_without_a_file_reads_those_of_a_select(
    ndcg: Command, here: Path, url: str
) -> None:
    (here / "traces.jsonl").write_text('{"spans": [{"d": "007"}, {"d": "7"}]}\n')
    (here / "a.b.csv").write_text("query_id,doc_id,score\n1,a,0.5\n")
    select = """
        select (2::decimal(38) + 12::decimal(38, 0)) as query_id, span.d as doc_id,
            170141183460469231731687303715884105727::hugeint as score,
        from (select unnest(spans) as span from 'traces.jsonl')
    """
    source = ("load", "run", "--from", url)
    assert ndcg(*source, "--select", select, "--name", "x").code == 0
    wide = ("--column", "query_id=score", "--column", "score=query_id")
    assert ndcg(*source, "--select", select, "--name", "y", *wide).code == 0
    assert ndcg(*source, "--table", "a.b.csv").code == 0
    rows = _rows(ndcg, "select run, query_id, doc_id, score from rankings order by all")
    assert [tuple(row.values()) for row in rows] == [
        ("a", "1", "a", 0.5),
        ("x", "14", "007", 2.0**127),
        ("x", "14", "7", 2.0**127),
        ("y", str(2**127 - 1), "007", 14.0),
        ("y", str(2**127 - 1), "7", 14.0),
    ]


@posix
@pytest.mark.usefixtures("here")
def test_a_pipe_is_no_duckdb_file(ndcg: Command) -> None:
    os.mkfifo("pipe.duckdb")
    done = ndcg("load", "run", "--from", "duckdb:///pipe.duckdb", "--table", "r")
    assert done.refusal == "duckdb:///pipe.duckdb: not a file; name one of DuckDB\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "told"),
    exploring.sampled(
        [
            ("(1.5, 'a', 1)", 'column "query_id" is DOUBLE; ids are text or integers'),
            ("(1, 'a', 1), (1.5, 'b', 1)", 'column "query_id" is DECIMAL; ids are'),
            ("(x'00', 'a', 1)", 'column "query_id" is BLOB; ids are text or integers'),
            (
                "(1, 'a', 'x')",
                'row 1: query "1", document "a": score "x" is not a number',
            ),
            (
                "(1, 'a', null)",
                'row 1: query "1", document "a": score "" is not a number',
            ),
            ("(null, 'a', 1)", "row 1: the query id is empty"),
            (
                "(1, 'a', 1), (1, 'a', 2)",
                'row 2: query "1", document "a": already on row 1',
            ),
        ],
        3,
    ),
)
def test_bad_rows_are_reported_by_their_ids(
    ndcg: Command, shop: sqlite3.Connection, values: str, told: str
) -> None:
    shop.execute("create table bad (query_id, doc_id, score)")
    shop.execute(f"insert into bad values {values}")
    done = ndcg("load", "run", "--from", "sqlite:///shop.db", "--table", "bad")
    assert done.refusal.startswith(f"sqlite:///shop.db: {told}")
    assert "file" not in done.err


_SHOP = ("--from", "sqlite:///shop.db")
_FILES = ("--from", "duckdb:", "--name", "x", "--select")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((*_SHOP, "--table", "nosuch"), "sqlite:///shop.db: no such table: nosuch"),
        ((*_SHOP, "--table", "a.b; drop"), "sqlite:///shop.db: no such table: a.b;"),
        (
            (*_SHOP, "--select", "select x from", "--name", "x"),
            "sqlite:///shop.db: incomplete input",
        ),
        (
            (*_SHOP, "--select", "select 1 as a", "--name", "x"),
            'sqlite:///shop.db: no column for "query_id", "doc_id"; the header has'
            ' "a"; name them: --column query_id=NAME --column doc_id=NAME',
        ),
        (
            (*_FILES, "from 'nosuch.jsonl'"),
            'duckdb: No files found that match the pattern "nosuch.jsonl"; a path is'
            " relative to the current directory",
        ),
        (
            (*_FILES, "from connection"),
            "duckdb: Table with name connection does not exist; a file is named in"
            " quotes, as in from 'traces.jsonl'",
        ),
        (
            (*_FILES, "select y from (select 1 as x)"),
            'duckdb: Referenced column "y" not found in FROM clause; there is "x"',
        ),
        (
            (*_FILES, "from 'https://127.0.0.1:1/x.parquet'"),
            "duckdb: An error occurred while trying to automatically install the"
            " required extension 'httpfs'; nothing is downloaded; name a file that is",
        ),
        (
            (*_FILES, "selec 1"),
            'duckdb: syntax error at or near "selec"; correct the select',
        ),
        *(
            ((*_FILES, statement), "--select: a statement without rows; give a select")
            for statement in (
                "copy (select 1) to 'x.csv'",
                "create table x as select 1",
            )
        ),
        ((*_FILES, "select 1; select 2"), "--select: several statements; give one"),
        (
            (*_FILES, "select 1 as a, 2 as A"),
            'duckdb: several columns are named "a", "A"; give each its own name',
        ),
        ((*_FILES, "select 1 limit 0"), "duckdb: no rows; is this the right select or"),
        (
            (*_FILES, "select 1.5 as query_id, 'd' as doc_id, 1 as score"),
            'duckdb: column "query_id" is DECIMAL; ids are text or integers',
        ),
        (
            (*_SHOP, "--select", "select * from ranked where 0", "--name", "x"),
            "sqlite:///shop.db: no rows; is this the right select or table?",
        ),
        (
            (*_SHOP, "--select", "select 1 as a, 2 as A", "--name", "x"),
            'sqlite:///shop.db: several columns are named "a", "A"; give each its own'
            " name: as NAME",
        ),
        (
            (*_SHOP, "--select", "delete from ranked", "--name", "x"),
            "sqlite:///shop.db: attempt to write a readonly database",
        ),
        (
            (*_SHOP, "--select", "select ';'; drop table ranked", "--name", "x"),
            "--select: several statements; give one select",
        ),
        (
            (*_SHOP, "--select", " ; -- nothing", "--name", "x"),
            "--select: empty; write it like --select 'select ...'",
        ),
        (
            (*_SHOP, "--select", "select * from ranked"),
            "--select: has no name; name it: --name NAME, or its runs by a column:"
            " --run-column NAME",
        ),
        (
            (*_SHOP, "--select", "select 1", "--table", "t"),
            "--from: both --select and --table are given; omit one",
        ),
        (_SHOP, "--from: neither --select nor --table is given; give one of them"),
        (
            (*_SHOP, "--table", "t", "t.csv"),
            "--from: t.csv is given, too; omit one of the two",
        ),
        (
            (*_SHOP, "--table", "t", "--format-in", "csv"),
            "--format-in: only files have it; omit it",
        ),
        (("t.csv", "--table", "t"), "--table: name the database, too: --from URL"),
        (
            (),
            "name a file to load, or a database: --from URL; see ndcg-sql"
            " load run --help\n",
        ),
        (
            ("--from", "sqlite:///absent.db", "--table", "t"),
            "sqlite:///absent.db: no such file",
        ),
        (
            ("--from", "sqlite://shop.db", "--table", "t"),
            "sqlite://shop.db: no file; three slashes come before its path, as in"
            " sqlite:///shop.db",
        ),
        (
            ("--from", "shop.db", "--table", "t"),
            "--from: not the URL of a database, such as"
            " postgresql://user:$NAME@host/database or sqlite:///shop.db",
        ),
        (
            ("--from", f"nosuch://ann:{'pw' * 5}@host/shop", "--table", "t"),
            "nosuch://ann:***@host/shop: SQLAlchemy knows no nosuch; install its"
            " package, or correct the URL",
        ),
        (
            ("--from", f"snowflake://ann:{'pw' * 5}@host/shop", "--table", "t"),
            "snowflake://ann:***@host/shop: SQLAlchemy knows no snowflake; pip install"
            " snowflake-sqlalchemy, or correct the URL",
        ),
        (
            ("--from", "postgresql://ann:pwpwpw@x@host/shop", "--table", "t"),
            "--from: the URL has more than one @; in a password, write it as %40, or"
            " name an environment variable with the password: user:$NAME@host",
        ),
        (
            ("--from", "postgresql://ann:$NO_SUCH_NAME@host/shop", "--table", "t"),
            "--from: the environment variable NO_SUCH_NAME is not set",
        ),
    ],
)
@pytest.mark.usefixtures("bare")
def test_what_is_refused_takes_one_line_and_changes_nothing(
    ndcg: Command,
    here: Path,
    shop: sqlite3.Connection,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    done = ndcg("load", "run", *arguments)
    assert done.refusal.startswith(told)
    assert done.err.count("\n") == 1
    assert "pwpw" not in done.err
    assert sorted(path.name for path in here.iterdir()) == ["shop.db"]
    assert shop.execute("select count(*) from ranked").fetchall() == [(4,)]


def test_a_missing_driver_is_named_with_its_package(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("psycopg", "psycopg2", "pymysql", "MySQLdb"):
        monkeypatch.setitem(sys.modules, module, None)

    def find_none(_name: str) -> None:
        return None

    monkeypatch.setattr(urls, "find_spec", find_none)
    for url, told in (
        (
            "postgresql://ann:pwpwpw@host/shop",
            "postgresql://ann:***@host/shop: the driver psycopg is not installed; pip"
            " install 'ndcg-sql[postgresql]'\n",
        ),
        (
            "mysql://ann:pwpwpw@host/shop",
            "mysql://ann:***@host/shop: the driver pymysql is not installed; pip"
            " install 'ndcg-sql[mysql]'\n",
        ),
        (
            "postgresql+psycopg2://ann:pwpwpw@host/shop",
            "postgresql+psycopg2://ann:***@host/shop: the driver psycopg2 is not"
            " installed; pip install psycopg2-binary\n",
        ),
    ):
        assert ndcg("load", "run", "--from", url, "--table", "t").refusal == told


def test_a_server_that_does_not_answer_is_left_after_some_time(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    library("pymysql")
    monkeypatch.setattr(urls, "PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"
        url = f"mysql://ann:pwpwpw@{place}/shop"
        done = ndcg("--timeout", "0", "load", "run", "--from", url, "--table", "t")
    assert done.refusal == (
        f"mysql://ann:***@{place}/shop: no answer within 0.2 seconds; is the address"
        " right? To wait longer: --timeout 1.2\n"
    )


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:$SHOP_PASSWORD@host:5432/shop?sslmode=require",
        "postgresql://$SHOP_USER:${SHOP_PASSWORD}@host:5432/shop",
        "postgresql://ann:s3cr3t%40w%2Frd@$SHOP_HOST:5432/shop",
        "$SHOP_URL",
        "${SHOP_URL}",
    ],
)
def test_variables_are_put_into_a_url(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", SECRET)
    monkeypatch.setenv("SHOP_USER", "ann")
    monkeypatch.setenv("SHOP_HOST", "host")
    monkeypatch.setenv("SHOP_URL", "postgres://ann:s3cr3t%40w%2Frd@host:5432/shop")
    where = urls.address(url, "--from")
    assert where.shown == "postgresql://ann:***@host:5432/shop"
    assert (where.url.password, where.url.username) == (SECRET, "ann")


def test_no_secret_of_a_url_is_shown() -> None:
    where = urls.address(
        "postgresql://host/shop?user=ann&password=s3cr3t%40w&sslkey=/a/key.pem",
        "--from",
    )
    assert where.shown == "postgresql://host/shop"
    said = where.failed(RuntimeError("no s3cr3t@w, s3cr3t%40w\nor /a/key.pem"))
    assert str(said) == "postgresql://host/shop: no ***, ***"
    with pytest.raises(NdcgSqlError) as refused:
        urls.address("postgresql://ann:s3cr3t:5432", "--from")
    assert "s3cr3t" not in str(refused.value)


@pytest.mark.slow
def test_a_select_that_repeats_the_password_is_noted_without_it(
    ndcg: Command,
    shop: sqlite3.Connection,  # noqa: ARG001
) -> None:
    select = "select 1 as query_id, 'a' as doc_id,\n /* s3cr3t */ 1 as score"
    url = "sqlite:///shop.db?password=s3cr3t"
    done = ndcg("load", "run", "--from", url, "--select", select, "--name", "x")
    assert done.code == 0, done.err
    assert b"s3cr3t" not in Path("ndcg.duckdb").read_bytes()
    noted = (
        "sqlite:///shop.db: select 1 as query_id, 'a' as doc_id, /* *** */ 1 as score"
    )
    assert _rows(ndcg, "select source from runs") == [{"source": noted}]
