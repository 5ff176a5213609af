"""DuckDB names a database after its file, and that name hides no schema."""

from pathlib import Path

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import schema
from support import exploring
from support.commands import Command
from support.files import QRELS, RUN

# Names of schemas, of databases that DuckDB has itself, and of a relation.
NAMES = exploring.mostly_slow(
    [
        *("information_schema", "pg_catalog", "main", "system", "temp", "memory"),
        *(schema.PUBLISHED, "PUBLISHED", "run_values", "a.b"),
        *("ndcg_sql_template", "published by ndcg-sql"),
    ],
    schema.PUBLISHED,
)
ALL = "select run, measure, value from run_values order by all"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_warehouse_may_have_the_name_of_a_schema(ndcg: Command, name: str) -> None:
    Path("qrels").write_text(QRELS)
    Path("base").write_text(RUN)
    where = ("-w", f"{name}.duckdb")
    for command in (
        *(["load", "judgments", "qrels"], ["load", "run", "base"], ["report"]),
        *(
            ["query", ALL],
            ["check"],
            ["publish", "copy.duckdb"],
            ["publish", "folder/"],
        ),
    ):
        result = ndcg(*where, *command)
        assert (result.code, result.err.count("unexpected")) == (0, 0), result.err
    # A program of someone else opens the file itself.
    with duckdb.connect(f"{name}.duckdb", read_only=True) as client:
        expected = client.execute(ALL).fetchall()
    assert expected
    with duckdb.connect("copy.duckdb", read_only=True) as client:
        assert client.execute(ALL).fetchall() == expected
    with Warehouse.read(f"{name}.duckdb", copy=True) as warehouse:
        assert warehouse.connection.execute(ALL).fetchall() == expected
