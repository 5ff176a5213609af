"""Rows of a database: which are read, which are refused, and what is never shown."""

import os
import socket
import sys

import duckdb
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import urls
from support.commands import Command
from support.libraries import library
from support.scripts import scripted
from support.systems import posix

SECRET = "s3cr3t@w/rd"


def duckdb_file(path: str, statement: str) -> None:
    """Write a file of DuckDB."""
    with duckdb.connect(path) as connection:
        connection.execute(statement)


test_script = scripted(__file__, duckdb_file)


@posix
@pytest.mark.usefixtures("here")
def test_a_pipe_is_no_duckdb_file(ndcg: Command) -> None:
    os.mkfifo("pipe.duckdb")
    done = ndcg("load", "run", "--from", "duckdb:///pipe.duckdb", "--table", "r")
    assert done.refusal == "duckdb:///pipe.duckdb: not a file; name one of DuckDB\n"


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
            " installed; install its package\n",
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
