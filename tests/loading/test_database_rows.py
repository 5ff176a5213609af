"""Rows of databases in Python: by URL, as SQLAlchemy's results, and as cursors."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, text

import ndcg_sql
from ndcg_sql import NdcgSqlError, Warehouse, database_rows
from support import exploring
from support.libraries import library
from support.servers import PASSWORD, Server

TABLES = """
    create table ranked (model text, user_id integer, item_id text, score real);
    insert into ranked values
        ('als', 1, 'a', 0.1), ('als', 1, 'b', 0.30000000000000004),
        ('popular', 1, 'b', 7), ('popular', 2, 'a', 3);
    create table clicks (user_id integer, item_id text, grade integer);
    insert into clicks values (1, 'a', 1), (2, 'a', 0);
    create table users (user_id integer, country text);
    insert into users values (1, 'fr'), (2, null);
    create table items (item_id text, title text);
    insert into items values ('a', 'A');
    create table graded (user_id integer, item_id text, grade integer, assessor text);
    insert into graded values (1, 'a', 1, 'ann'), (1, 'a', 2, 'bo');
"""
ALS = "select user_id, item_id, score from ranked where model = 'als'"
URL = "sqlite:///shop.db"


@pytest.fixture
def shop(here: Path) -> sqlite3.Connection:
    """Return a SQLite database, shop.db, in the current directory."""
    connection = sqlite3.connect(here / "shop.db", isolation_level=None)
    connection.executescript(TABLES)
    return connection


def _runs(warehouse: Warehouse) -> list[tuple[Any, ...]]:
    sql = "select run, source from runs order by run"
    return warehouse.connection.execute(sql).fetchall()


def _rankings(warehouse: Warehouse, run: str) -> list[tuple[Any, ...]]:
    sql = "select query_id, doc_id, score from rankings where run = $run order by all"
    return warehouse.connection.execute(sql, {"run": run}).fetchall()


EXPECTED = [("1", "a", 0.1), ("1", "b", 0.30000000000000004)]


def _of_sqlalchemy(connection: Connection) -> object:
    return connection.execute(text(ALS))


def _as_mappings(connection: Connection) -> object:
    return connection.execute(text(ALS)).mappings()


def _of_a_cursor(connection: Connection) -> object:
    driver: Any = connection.connection.driver_connection
    return driver.cursor().execute(ALS)


def _of_named_rows(connection: Connection) -> object:
    driver: Any = connection.connection.driver_connection
    driver.row_factory = sqlite3.Row
    return driver.execute(ALS)


def _of_dicts(connection: Connection) -> object:
    driver: Any = connection.connection.driver_connection

    def as_dict(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
        names = [column[0] for column in cursor.description]
        return dict(reversed(list(zip(names, row, strict=True))))

    driver.row_factory = as_dict
    return driver.execute(ALS)


@pytest.mark.slow
@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    "result",
    exploring.sampled(
        [_of_sqlalchemy, _as_mappings, _of_a_cursor, _of_named_rows, _of_dicts], 2
    ),
)
def test_results_are_loaded_as_frames_are(
    result: Callable[[Connection], Any],
) -> None:
    with Warehouse.memory() as own, create_engine(URL).connect() as connection:
        assert str(own.load_run(result(connection))) == (
            'loaded run "run": 1 query, 2 documents; no judgments yet'
        )
        assert _runs(own) == [("run", "result")]
        assert _rankings(own, "run") == EXPECTED
        # The connection is still the caller's.
        assert connection.execute(text("select 1")).fetchall()


def _inverse(number: int) -> float:
    return 1 / (3 - number)


def _fails(shop: sqlite3.Connection) -> object:
    shop.create_function("fail", 1, _inverse)
    return shop.execute(
        "select value as query_id, 'd' as doc_id, fail(value) as score"
        " from json_each('[1, 2, 3]')"
    )


_REFUSED: list[tuple[Callable[[sqlite3.Connection], object], str]] = [
    (lambda shop: shop.cursor(), "result: no rows; execute a select first"),
    (
        lambda shop: shop.execute("create table other (a int)"),
        "result: no rows; execute a select first",
    ),
    (
        lambda shop: shop.execute("select * from ranked where 0"),
        "result: no rows; is this the right select or table?",
    ),
    (
        lambda shop: shop.execute("select 1.5 as query_id, 'd' as doc_id, 1 score"),
        'result: column "query_id" is DOUBLE; ids are text or integers',
    ),
    (
        lambda shop: shop.execute("select 'q' as query_id, 1 as score"),
        'result: no column for "doc_id"; the header has "query_id", "score"; name'
        ' it: columns={"doc_id": "NAME"}',
    ),
    (
        lambda shop: shop.execute("select 'q' query_id, 'd' doc_id, 'x' score"),
        'result:1: query "q", document "d": score "x" is not a number',
    ),
    (
        lambda shop: shop.execute("select 1 as a, 2 as A"),
        'result: several columns are named "a", "A"',
    ),
    (_fails, "result: user-defined function raised exception"),
    (
        lambda _: database_rows(URL, "select 1; select 2"),
        "select: several statements; give one select",
    ),
    (
        lambda _: database_rows(URL, " "),
        'select: empty; write it like select="select ..."',
    ),
    (
        lambda _: database_rows("postgresql://ann:$NO_SUCH@h/d", table="t"),
        "url: the environment variable NO_SUCH is not set",
    ),
    (
        lambda _: database_rows(URL, table="nosuch"),
        f"{URL}: no such table: nosuch",
    ),
    (
        lambda _: database_rows(URL),
        "url: neither select nor table is given; give one of them",
    ),
    (
        lambda _: database_rows(URL, "select 1", table="t"),
        "url: both select and table are given; omit one",
    ),
    (
        lambda _: database_rows(URL, text("select 1")),  # pyright: ignore[reportArgumentType]
        "database_rows: select is not text; what SQLAlchemy selects is loaded when"
        " executed: load_run(connection.execute(...))",
    ),
]


@pytest.mark.parametrize(("result", "told"), exploring.sampled(_REFUSED, 2))
def test_what_is_refused_is_one_line_and_stores_nothing(
    shop: sqlite3.Connection,
    result: Callable[[sqlite3.Connection], Any],
    told: str,
) -> None:
    with Warehouse.memory() as own:
        with pytest.raises(NdcgSqlError) as refused:
            own.load_run(result(shop))
        assert str(refused.value).startswith(told)
        assert _runs(own) == []


def test_a_password_is_not_shown() -> None:
    assert "s3cr3t" not in repr(database_rows("mysql://ann:s3cr3t@h/d", table="t"))
    assert "database_rows" in dir(ndcg_sql)


@pytest.mark.slow
@pytest.mark.parametrize("driver", ["", "+psycopg"])
def test_postgresql_is_read_by_url_by_results_and_by_cursors(
    postgresql: Server, driver: str
) -> None:
    psycopg = library("psycopg")
    postgresql.execute("drop table if exists ranked, clicks, users, items, graded")
    postgresql.execute(*TABLES.replace("real", "float").split(";")[:-1])
    url = postgresql.url.replace("+psycopg", driver)
    engine = create_engine(postgresql.url)
    with Warehouse.memory() as own, engine.connect() as connection:
        for name, result in (
            ("text", database_rows(url, ALS)),
            (
                "url",
                database_rows(engine.url.set(drivername=f"postgresql{driver}"), ALS),
            ),
            ("streamed", connection.execution_options(yield_per=1).execute(text(ALS))),
        ):
            own.load_run(result, name)
            assert _rankings(own, name) == EXPECTED
        pairs = engine.url.translate_connect_args(username="user", database="dbname")
        with psycopg.connect(**pairs) as direct, direct.cursor("one") as cursor:
            own.load_run(cursor.execute(ALS), "cursor")
        assert _rankings(own, "cursor") == EXPECTED
        with pytest.raises(NdcgSqlError) as refused:
            own.load_run(database_rows(url, "select * from nosuch"))
        assert str(refused.value).endswith('relation "nosuch" does not exist')
        assert PASSWORD not in str(refused.value)
        written = str(own.connection.execute("select source from runs").fetchall())
        assert PASSWORD not in written
    engine.dispose()


@pytest.mark.parametrize("url", [None, 7, object()])
def test_what_is_no_url_is_refused(url: Any) -> None:
    with pytest.raises(NdcgSqlError, match=r"give engine\.url"):
        database_rows(url, table="clicks")
