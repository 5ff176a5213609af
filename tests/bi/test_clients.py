"""The examples of docs/clients.md print in other programs what the report says."""

import json
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.relations import relations
from support.commands import Command, Once
from support.other_clients import environment, example, examples, output, program
from support.servers import PASSWORD, Server

pytestmark = pytest.mark.clients
ADDRESS = "postgresql+psycopg://analyst@db.example.com/marts"
SELECT = (
    "select run, round(value, 4) as ndcg from run_values"
    " where measure = 'nDCG@10' order by value desc"
)


@pytest.fixture
def leaderboard(ndcg: Command, once: Once) -> list[tuple[str, float]]:
    """Publish the demo into the current directory; return what the report says."""

    def publish() -> None:
        assert ndcg("--quiet", "demo").code == 0
        assert ndcg("publish", "dashboards.duckdb").code == 0
        assert ndcg("publish", "marts/").code == 0

    once(publish)
    told = ndcg("report", "-m", "nDCG@10", "--format", "json").out
    found = {row["run"]: row["value"] for row in json.loads(told)}
    best = sorted(found, key=lambda run: -found[run])
    return [(run, round(found[run], 4)) for run in best]


@pytest.mark.parametrize(
    "heading", ["DuckDB", "SQLAlchemy and pandas", "polars", "ibis"]
)
def test_in_python(leaderboard: list[tuple[str, float]], heading: str) -> None:
    Path("example.py").write_text(example(heading))
    printed = output(program("python"), "example.py")
    assert printed == f"{leaderboard}\n"


def test_duckdb_engine_lists_what_there_is(leaderboard: list[Any]) -> None:
    Path("listed.py").write_text(
        "from sqlalchemy import create_engine, inspect\n"
        "url, how = 'duckdb:///dashboards.duckdb', {'read_only': True}\n"
        "found = inspect(create_engine(url, connect_args=how))\n"
        "print(len(found.get_table_names(schema='main')))\n"
        "print(all(column['comment'] for column in found.get_columns('run_values')))\n"
    )
    assert output(program("python"), "listed.py") == f"{len(relations())}\nTrue\n"
    assert leaderboard


def test_in_node(leaderboard: list[tuple[str, float]]) -> None:
    Path("example.mjs").write_text(example("Node.js"))
    Path("node_modules").symlink_to(environment() / "node_modules")
    rows = json.loads(output("node", "example.mjs"))
    assert [tuple(row) for row in rows] == leaderboard


def test_in_harlequin_without_a_screen(leaderboard: list[tuple[str, float]]) -> None:
    options = ("--read-only", "--csv", "dashboards.duckdb", "-c", SELECT)
    head, *rows = output(program("hsql"), *options).splitlines()
    assert head == "run,ndcg"
    assert rows == [f"{run},{value}" for run, value in leaderboard]


def test_in_harlequin(leaderboard: list[tuple[str, float]], here: Path) -> None:
    shown = b""
    main, terminal = pytest.importorskip("pty").openpty()
    lines_and_columns = struct.pack("HHHH", 36, 120, 0, 0)
    request = pytest.importorskip("termios").TIOCSWINSZ
    pytest.importorskip("fcntl").ioctl(terminal, request, lines_and_columns)
    command = [program("harlequin"), "--read-only", "dashboards.duckdb"]
    home = {"HOME": str(here), "TERM": "xterm-256color"}
    process = subprocess.Popen(
        command,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, **home},
        start_new_session=True,
    )
    os.close(terminal)

    def seen(text: str) -> None:
        """Wait until the screen has shown a text."""
        nonlocal shown
        end = time.monotonic() + 60
        while text.encode() not in shown:
            assert time.monotonic() < end, shown[-4000:]
            if select.select([main], [], [], 0.2)[0]:
                shown += os.read(main, 65536)

    try:
        seen("Query Editor")
        seen("dashboards")
        # A paste, as terminals mark it, then Ctrl-J.
        os.write(main, f"\x1b[200~{SELECT}\x1b[201~".encode())
        seen("order")
        os.write(main, b"\n")
        seen("3 Records")
        for run, value in leaderboard:
            seen(run)
            seen(str(value))
    finally:
        process.kill()
        process.wait()
        os.close(main)


@pytest.fixture
def marts(
    ndcg: Command, leaderboard: list[Any], postgresql: Server
) -> Iterator[Server]:
    """Publish the demo to PostgreSQL, where the page's grants let analyst read."""
    assert leaderboard
    assert ndcg("publish", postgresql.url).code == 0
    postgresql.execute(f"create role analyst login password '{PASSWORD}'")
    postgresql.execute(*examples("PostgreSQL")[0][1].strip().split("\n"))
    yield postgresql
    postgresql.execute("drop owned by analyst", "drop role analyst")
    postgresql.execute("drop schema ndcg_sql cascade")


def test_in_postgresql(
    ndcg: Command, leaderboard: list[tuple[str, float]], marts: Server
) -> None:
    [(_, grants), (_, code)] = examples("PostgreSQL")
    assert code.count(ADDRESS) == 1
    analyst = marts.url.replace("tester:", "analyst:")
    Path("example.py").write_text(code.replace(ADDRESS, analyst))
    assert output(sys.executable, "example.py") == f"{leaderboard}\n"
    # The rights outlast what is published next.
    assert "analyst" in grants
    assert ndcg("rename", "run", "bm25", "first", "--dataset", "demo").code == 0
    assert ndcg("publish", marts.url).code == 0
    assert "('first', " in output(sys.executable, "example.py")


def test_in_grafana_as_sql(leaderboard: list[Any], marts: Server) -> None:
    [(title, sql)] = examples("BI programs")
    assert title == "grafana.sql"
    rows = marts.rows(sql)
    assert sorted(round(value, 4) for _, value in rows) == sorted(
        value for _, value in leaderboard
    )
    assert [made_at for made_at, _ in rows] == sorted(made_at for made_at, _ in rows)
