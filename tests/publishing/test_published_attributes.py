"""The columns that attributes of queries have where they are published."""

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine, inspect

from ndcg_sql.publishing.attributes import NAME, by_column
from support.commands import Command, load_texts
from support.published import table
from support.servers import Server


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_what_a_column_means_is_said(ndcg: Command) -> None:
    load_texts(ndcg, {"queries q.csv": "query_id,Product Line\nq1,a\n"})
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
@pytest.mark.usefixtures("loaded")
def test_servers_take_all_names(
    ndcg: Command, postgresql: Server, mariadb: Server
) -> None:
    odd = ["Country", "país", "pais", "xmin", "rowid", "order", "देश", "x" * 200, "50%"]
    with Path("queries.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["query_id", *odd], ["q1", *odd]])
    assert ndcg("load", "queries", "queries.csv").code == 0
    for server in (postgresql, mariadb):
        told = ndcg("publish", server.url)
        assert told.code == 0, told.err
        names, [first, *_] = table(server.url, NAME)
        values = dict(zip(names, first, strict=True))
        columns = by_column(odd)
        assert {name: values[name] for name in columns} == columns
    engine = create_engine(postgresql.url)
    described: Any = inspect(engine).get_columns(NAME, schema="ndcg_sql")
    engine.dispose()
    comments = {column["name"]: column["comment"] for column in described}
    assert comments["attribute_50"].startswith('value of the attribute "50%" for')
