"""Rows of real database servers, which the tests start and kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from support import servers
from support.commands import Command
from support.processes import ran
from support.servers import Server

pytestmark = pytest.mark.slow
_IDS = ["é%", "a,b", "q\"uo'te", "a\nb", "\\N", " x"]
_SCORES = ["0.12345678901234567890", "-1", "1e-300", "0.1", "2", "30000000000000000001"]
# A select that takes long, by a row.
_LONG = {
    "postgresql": "select i as user_id, pg_sleep(0.001)::text || i as doc_id,"
    " 1 as score from generate_series(1, 100000) i",
    "mariadb": "select seq as user_id, concat(sleep(0.001), seq) as doc_id,"
    " 1 as score from seq_1_to_100000",
}
_ASLEEP = {
    "postgresql": "select 1 as query_id, pg_sleep(60)::text as doc_id, 1 as score",
    "mariadb": "select 1 as query_id, sleep(60) as doc_id, 1 as score",
}


class Way(NamedTuple):
    """A server to read from, of PostgreSQL or MariaDB."""

    kind: str
    server: Server
    url: str


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _fill(server: Server, kind: str) -> None:
    """Make a table with ids and scores of every kind."""
    text = "text" if kind == "postgresql" else "varchar(99)"
    double = "double precision" if kind == "postgresql" else "double"
    escaped = _IDS
    if kind == "mariadb":
        escaped = [id_.replace("\\", "\\\\") for id_ in _IDS]
    rows = [
        f"({2**53 + 1}, {_quoted(id_)}, {score}, {score}, true)"
        for id_, score in zip(escaped, _SCORES, strict=True)
    ]
    server.execute(
        "drop table if exists ranked",
        f"create table ranked (user_id bigint, item_id {text}, score {double},"
        " exact decimal(65, 30), shown boolean)"
        if kind == "mariadb"
        else f"create table ranked (user_id bigint, item_id {text}, score {double},"
        " exact numeric, shown boolean)",
        f"insert into ranked values {', '.join(rows)}",
    )


def _loaded(ndcg: Command, run: str) -> dict[str, float]:
    sql = f"select query_id, doc_id, score from rankings where run = '{run}'"
    done = ndcg("query", sql, "--format", "json")
    rows = json.loads(done.out)
    assert {row["query_id"] for row in rows} == {str(2**53 + 1)}
    return {row["doc_id"]: row["score"] for row in rows}


@pytest.fixture(params=["postgresql", "mariadb"])
def way(request: pytest.FixtureRequest) -> Iterator[Way]:
    """Return each server to read from."""
    server: Server = request.getfixturevalue(request.param)
    yield Way(request.param, server, server.url)
    # Others publish into the same database.
    server.execute("drop table if exists ranked")


def test_ids_and_scores_are_exact(ndcg: Command, way: Way) -> None:
    kind, server, url = way
    _fill(server, kind)
    expected = {id_: float(score) for id_, score in zip(_IDS, _SCORES, strict=True)}
    given = ("--from", url)
    done = ndcg("load", "run", *given, "--table", "ranked")
    assert done.code == 0, done.err
    assert _loaded(ndcg, "ranked") == expected
    exact = "select user_id, item_id, exact as score from ranked where item_id <> 'x%'"
    if kind == "mariadb":
        # 1e-300 is 0 there.
        exact += " and score <> 1e-300"
        del expected["q\"uo'te"]
    done = ndcg("load", "run", *given, "--select", exact, "--name", "exact")
    assert done.code == 0, done.err
    assert _loaded(ndcg, "exact") == expected
    bad = ("--table", "ranked", "--name", "bad", "--column", "query_id=score")
    done = ndcg("load", "run", *given, *bad, "--column", "score=exact")
    assert 'column "score" is DOUBLE; ids are text or integers' in done.err
    select = "select user_id, exact, shown from ranked where item_id = 'a,b'"
    assert ndcg("load", "queries", *given, "--select", select).code == 0


@pytest.mark.usefixtures("bare")
def test_what_a_server_refuses_is_one_line_without_the_password(
    ndcg: Command, here: Path, way: Way
) -> None:
    kind, server, url = way
    _fill(server, kind)
    wrong = url.replace("s3cr3t", "an0ther")
    denied = {"postgresql": "password authentication", "mariadb": "Access denied"}
    absent = {"postgresql": 'relation "nosuch"', "mariadb": "nosuch' doesn't exist"}
    write = "insert into ranked values (1, 'a', 1, 1, true)"
    for where, what, told in (
        (wrong, "select 1", denied[kind]),
        (url.replace(str(server.port), "1"), "select 1", "onnect"),
        (url, "select * from nosuch", absent[kind]),
        (url, write, ""),
        (url, "select 1; select 2", "not a single statement"),
    ):
        done = ndcg("load", "run", "--from", where, "--select", what, "--name", "x")
        assert (done.code, done.err.count("\n")) == (2, 1), done.err
        assert told in done.err
        assert "s3cr3t" not in done.err
        assert "an0ther" not in done.err
    assert list(here.iterdir()) == []
    assert server.rows("select count(*) from ranked") == [(len(_IDS),)]


def test_a_transaction_of_postgresql_only_reads(
    ndcg: Command, postgresql: Server
) -> None:
    postgresql.execute(
        "create table if not exists written (a int)",
        "create or replace function writes() returns int language sql"
        " as 'insert into written values (1) returning a'",
    )
    select = "select writes() as query_id, 'a' as doc_id, 1 as score"
    url = postgresql.url.replace("+psycopg", "")
    done = ndcg("load", "run", "--from", url, "--select", select, "--name", "x")
    assert "cannot execute INSERT in a read-only transaction" in done.err
    assert postgresql.rows("select * from written") == []


def _start(url: str, select: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "ndcg_sql", "load", "run", "--name", "x"]
    return subprocess.Popen(
        [*command, "--from", url, "--select", select],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


@pytest.mark.parametrize("selects", [_LONG, _ASLEEP])
def test_ctrl_c_ends_a_select(loaded: Path, way: Way, selects: dict[str, str]) -> None:
    before = loaded.read_bytes()
    process = _start(way.url, selects[way.kind])
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (
        130,
        "interrupted; the warehouse is unchanged\n",
    )
    assert loaded.read_bytes() == before
    assert list(loaded.parent.iterdir()) == [loaded]


@pytest.mark.parametrize(
    ("kind", "serve"),
    [("postgresql", servers.postgresql), ("mariadb", servers.mariadb)],
)
def test_a_server_that_stops_in_the_middle_leaves_the_warehouse_unchanged(
    loaded: Path, kind: str, serve: Callable[[], "servers.Serving"]
) -> None:
    before = loaded.read_bytes()
    with serve() as server:
        url = server.url.replace("+psycopg", "")
        process = _start(url, _LONG[kind])
        time.sleep(4)
        server.kill()
        _, err = process.communicate(timeout=20)
    assert process.returncode == 2
    assert err.startswith(f"{url.split(':')[0]}://tester:***@")
    assert err.count("\n") == 1
    assert "s3cr3t" not in err
    assert loaded.read_bytes() == before
    assert list(loaded.parent.iterdir()) == [loaded]


def test_many_rows_are_never_in_memory_at_once(here: Path, way: Way) -> None:
    series = {
        "postgresql": "generate_series(0, 999999) as rows (i)",
        "mariadb": "(select seq as i from seq_0_to_999999) as made",
    }
    select = (
        f"select i % 50000 as query_id, i as doc_id, i as score from {series[way.kind]}"
    )
    # Unlike ru_maxrss, VmHWM does not begin with the memory of the tests' process.
    peak = "[l.split()[1] for l in open('/proc/self/status') if l.startswith('VmHWM')]"
    code = (
        "import atexit; from ndcg_sql.cli.main import main;"
        f"atexit.register(lambda: print(int({peak}[0]) // 1024)); main()"
    )
    command = [sys.executable, "-c", code, "load", "run", "--name", "x"]
    done = ran([*command, "--from", way.url, "--select", select], here)
    assert done.returncode == 0, done.stderr
    assert "50000 queries, 1000000 documents" in done.stderr
    # A million rows in Python take 250 MB more.
    assert int(done.stdout) < 600
