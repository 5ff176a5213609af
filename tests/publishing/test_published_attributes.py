"""Attributes of queries as columns, wherever they are published."""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import MetaData, Table, create_engine, inspect, select

from ndcg_sql.publishing import attributes
from ndcg_sql.publishing.attributes import NAME, by_column
from support.commands import Command
from support.servers import Server

EVERYWHERE = [
    *("bi.duckdb", "marts/", "sqlite:///marts.db"),
    *("postgresql", "mariadb"),
]
FIXED = ["dataset", "query_id", "text", "weight", "weight_share"]


@pytest.fixture(params=EVERYWHERE)
def target(request: pytest.FixtureRequest) -> str:
    """Return what is published to: a file, a folder or a database."""
    if request.param not in ("postgresql", "mariadb"):
        return request.param
    server: Server = request.getfixturevalue(request.param)
    return server.url


def rows(target: str) -> tuple[list[str], dict[tuple[str, str], tuple[Any, ...]]]:
    """Return the columns that are published, and what each query has in them."""
    if "://" not in target:
        name = f"'{target}{NAME}/*.parquet'" if target.endswith("/") else NAME
        with duckdb.connect("" if name != NAME else target) as connection:
            result = connection.execute(f"from {name}")
            names = [column[0] for column in result.description or []]
            found: list[Any] = result.fetchall()
    else:
        schema = "ndcg_sql" if target.startswith("postgresql") else None
        engine = create_engine(target)
        table = Table(NAME, MetaData(schema=schema), autoload_with=engine)
        names = list(table.columns.keys())
        with engine.connect() as connection:
            found = [tuple(row) for row in connection.execute(select(table))]
        engine.dispose()
    return names, {(row[0], row[1]): tuple(row[2:]) for row in found}


def load(ndcg: Command, header: str, *lines: str, dataset: str = "default") -> None:
    """Load queries of a dataset, which has no others."""
    Path("queries.csv").write_text("\n".join([header, *lines]) + "\n")
    replaced = ("--dataset", dataset, "--replace")
    assert ndcg("load", "queries", "queries.csv", *replaced).code == 0


@pytest.mark.slow
def test_each_attribute_is_a_column(ndcg: Command, loaded: Path, target: str) -> None:
    assert ndcg("publish", target).code == 0
    nothing = {("default", query): (None, None, None) for query in ("q1", "q2", "q3")}
    assert rows(target) == (FIXED, nothing)
    load(
        ndcg, "query_id,text,weight,device,O'Neil %", "q1,one,3,phone,a", "q2,two,1,,b"
    )
    told = ndcg("publish", target)
    assert told.code == 0, told.err
    assert told.err.splitlines()[1:] == [f'columns of {NAME}: "O\'Neil %" is o_neil']
    names, found = rows(target)
    assert names == [*FIXED, "device", "o_neil"]
    assert found == {
        ("default", "q1"): ("one", 3, 0.75, "phone", "a"),
        ("default", "q2"): ("two", 1, 0.25, None, "b"),
        ("default", "q3"): (None, None, None, None, None),
    }
    assert "is up to date" in ndcg("publish", target).err
    # Another dataset's attributes are columns of all: also of what did not change.
    load(ndcg, "query_id,country", "x,AT", dataset="other")
    assert ndcg("publish", target).code == 0
    names, found = rows(target)
    values = {key: dict(zip(names[2:], row, strict=True)) for key, row in found.items()}
    assert values["other", "x"]["country"] == "AT"
    assert values["default", "q1"]["country"] is None
    assert values["default", "q1"]["device"] == "phone"
    # What no query has any more is gone, or empty where tables stay.
    load(ndcg, "query_id,text", "q1,one")
    assert ndcg("publish", target).code == 0
    names, found = rows(target)
    assert ("device" in names) == ("://" in target)
    assert found["default", "q1"][:3] == ("one", None, None)
    assert {*found["default", "q1"][3:]} == {None}
    assert loaded.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_what_a_column_means_is_said(ndcg: Command) -> None:
    load(ndcg, "query_id,Product Line", "q1,a")
    assert ndcg("publish", "bi.duckdb").code == 0
    assert ndcg("publish", "marts/").code == 0
    comment = 'value of the attribute "Product Line" for the query; null if it has none'
    with duckdb.connect("bi.duckdb") as connection:
        sql = "select comment from duckdb_columns() where column_name = 'product_line'"
        assert connection.execute(sql).fetchall() == [(comment,)]
    manifest = json.loads(Path("marts/manifest.json").read_text())
    described = manifest["relations"][NAME]
    assert described["key"] == ["dataset", "query_id"]
    assert described["columns"][-1] == {
        "name": "product_line",
        "type": "varchar",
        "comment": comment,
    }


def test_columns_have_names_that_every_database_takes() -> None:
    names = {
        "country": "country",
        "COUNTRY": "country_2",
        "Country": "country_3",
        "pais": "pais",
        "país": "país_2",
        "weight": "attribute_weight",
        "measure": "attribute_measure",
        "rowid": "attribute_rowid",
        "xmin": "attribute_xmin",
        "2024": "attribute_2024",
        "_": "_",
        "!!!": "attribute",
        "?": "attribute_2",
        "a__b": "a__b",
        " Product  line (new) ": "product_line_new",
        "देश": "देश",
        "𠀀x": "x",
        "x" * 200: "x" * 58,
        "ä" * 200: "ä" * 29,
        'x" from y; --': "x_from_y",
    }
    columns = by_column(names)
    assert {attribute: name for name, attribute in columns.items()} == names
    assert list(columns) == sorted(columns)
    # The order in which they come says nothing.
    assert by_column(reversed(names)) == columns


@pytest.mark.slow
def test_servers_take_all_names(
    ndcg: Command, loaded: Path, postgresql: Server, mariadb: Server
) -> None:
    odd = ["Country", "país", "pais", "xmin", "rowid", "order", "देश", "x" * 200, "50%"]
    with Path("queries.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["query_id", *odd], ["q1", *odd]])
    assert ndcg("load", "queries", "queries.csv").code == 0
    for server in (postgresql, mariadb):
        told = ndcg("publish", server.url)
        assert told.code == 0, told.err
        names, found = rows(server.url)
        values = dict(zip(names[2:], found["default", "q1"], strict=True))
        columns = by_column(odd)
        assert {name: values[name] for name in columns} == columns
    engine = create_engine(postgresql.url)
    described: Any = inspect(engine).get_columns(NAME, schema="ndcg_sql")
    engine.dispose()
    comments = {column["name"]: column["comment"] for column in described}
    assert comments["attribute_50"].startswith('value of the attribute "50%" for')
    assert loaded.exists()


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_of_very_many_attributes_the_most_frequent_have_columns(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attributes, "MOST", 2)
    load(ndcg, "query_id,a,b,c,d", "q1,1,1,,1", "q2,,1,,1", "q3,,,1,")
    told = ndcg("publish", "bi.duckdb")
    assert told.code == 0
    assert told.err.splitlines()[1:] == [
        f"warning: {NAME} has columns for the 2 attributes that most queries have, not"
        ' for "a", "c"; select these from query_attributes'
    ]
    names, _ = rows("bi.duckdb")
    assert names == [*FIXED, "b", "d"]
