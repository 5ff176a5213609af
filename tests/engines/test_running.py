"""emit --run: PostgreSQL runs the script, and the values of runs are printed."""

import json
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.engines import COLUMNS, NAMES, Postgres, Rows
from support.servers import Server

RANKINGS: Rows = [
    ("u1", "a", 2.0, "base"),
    ("u1", "b", 1.0, "base"),
    ("u1", "b", 5.0, "new"),
    ("u1", "a", 4.0, "new"),
]
TWICE = [*RANKINGS, RANKINGS[0]]
JUDGMENTS: Rows = [("u1", "a", 1.0), ("u1", "b", 3.0)]


def asked(**changed: str) -> list[str]:
    """Return the arguments of emit, some of which are changed."""
    options = {
        "dialect": "postgres",
        "measure": "nDCG@10 AP",
        "rankings": "results",
        "judgments": "grades",
        "run-column": COLUMNS["rankings"][-1],
        **changed,
    }
    found = ["emit"]
    for name, value in options.items():
        found += [f"--{name}", value]
    for name in NAMES:
        found += ["--column", name]
    return found


@pytest.fixture(scope="module")
def postgres(postgresql: Server) -> Postgres:
    """Return a connection to the server's database."""
    return Postgres(postgresql, "c")


def url(server: Server) -> str:
    """Return the URL of the database of the fixture postgres."""
    return server.url.rpartition("/")[0] + "/emit_c"


def schemas(postgres: Postgres) -> int:
    """Return how many schemas there are that a script made."""
    select = "select count(*) from pg_namespace where nspname = 'ndcg_sql'"
    [(count,)] = postgres.rows(select)
    return int(count)


@pytest.mark.slow
def test_values_are_printed_and_stay(
    ndcg: Command, postgres: Postgres, postgresql: Server, here: Path
) -> None:
    postgres.fill(RANKINGS, JUDGMENTS)
    done = ndcg(*asked(run=url(postgresql), format="json"))
    assert done.code == 0, done.err
    values = {
        (row["run"], row["measure"]): row["value"] for row in json.loads(done.out)
    }
    assert values == pytest.approx(
        {
            ("base", "AP"): 1,
            ("base", "nDCG@10"): 0.7967075809905066,
            ("new", "AP"): 1,
            ("new", "nDCG@10"): 1,
        }
    )
    [(stored,)] = postgres.rows("select count(*) from ndcg_sql.query_values")
    assert stored == 4
    assert not [*here.iterdir()]


@pytest.mark.slow
def test_another_schema_has_them_if_asked(
    ndcg: Command, postgres: Postgres, postgresql: Server
) -> None:
    postgres.fill(RANKINGS, JUDGMENTS)
    table = ndcg(*asked(run=url(postgresql), schema="other")).out
    assert "nDCG@10" in table
    assert "0.7967" in table
    postgres.run("drop schema other cascade")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rankings", "judgments", "options", "message"),
    exploring.sampled(
        [
            (TWICE, JUDGMENTS, {}, "results: a document is there twice"),
            (TWICE, JUDGMENTS, {}, "(base,u1,a)"),
            (RANKINGS, [(None, "c", 1.0)], {}, "grades: a query id, document"),
            (RANKINGS, JUDGMENTS, {"rankings": "x"}, '"x" does not exist; correct'),
            (RANKINGS, JUDGMENTS, {"column": "score=s"}, "correct --column"),
            (RANKINGS, JUDGMENTS, {"schema": "public"}, "name another one by --schema"),
            (RANKINGS, JUDGMENTS, {"compare": "old"}, "results: no row is of the run"),
            (RANKINGS, JUDGMENTS, {"dialect": "trino"}, "of the dialect postgres only"),
        ],
        2,
    ),
)
def test_nothing_stays_after_a_failure(
    ndcg: Command,
    postgres: Postgres,
    postgresql: Server,
    rankings: Rows,
    judgments: Rows,
    options: dict[str, str],
    message: str,
) -> None:
    postgres.fill(rankings, judgments)
    done = ndcg(*asked(run=url(postgresql), **options))
    assert message in done.refusal
    assert len(done.err.splitlines()) == 1
    assert schemas(postgres) == 0


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("postgresql://nobody@127.0.0.1:1/x", "127.0.0.1:1"),
        ("sqlite:///shop.db", "not the URL of PostgreSQL"),
        ("shop", "not the URL of a database"),
    ],
)
def test_bad_address_is_named(ndcg: Command, where: str, message: str) -> None:
    done = ndcg(*asked(run=where))
    assert message in done.refusal
    assert len(done.err.splitlines()) == 1
