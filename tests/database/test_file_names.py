"""DuckDB names a database after its file, and that name hides no schema."""

import shutil
from pathlib import Path

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import schema, views
from ndcg_sql.errors import NdcgSqlError
from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest

# Names of schemas, of databases that DuckDB has itself, and of a relation.
NAMES = exploring.mostly_slow(
    [
        *("information_schema", "pg_catalog", "main", "system", "temp", "memory"),
        *(schema.PUBLISHED, "PUBLISHED", "run_values", "a.b"),
        *("ndcg_sql_template", "published by ndcg-sql"),
    ],
    schema.PUBLISHED,
)
OWN = [f"{views.STORE}.duckdb", "Store.v2.duckdb", views.STORE]
STORES = exploring.mostly_slow(OWN, f"{views.STORE}.duckdb")
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


@pytest.mark.parametrize("name", STORES)
def test_no_warehouse_has_the_name_of_its_own_schema(
    ndcg: Command, loaded: Path, name: str
) -> None:
    # Other clients could not read the views of such a file.
    Path("late").write_text(RUN)
    line = (
        f"{name}: DuckDB takes the name of this file for that of the schema store; name"
        " the file otherwise, such as ndcg.duckdb"
    )
    loading = ["load", "run", "late"]
    assert ndcg("-w", name, *loading).refusal == line + "\n"
    assert not Path(name).exists()
    renamed = Path(shutil.copy(loaded, Path(name)))
    before = digest(renamed)
    for command in (
        loading,
        ["report"],
        ["query", "from runs"],
        ["publish", "x.duckdb"],
    ):
        result = ndcg("-w", name, *command)
        assert (result.code, result.out, result.err) == (2, "", line + "\n"), command
    for opened in (Warehouse.read, Warehouse.write):
        with pytest.raises(NdcgSqlError) as raised:
            opened(name)
        assert str(raised.value) == line
    assert digest(renamed) == before
