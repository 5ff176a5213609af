"""The public relations, as every client of DuckDB finds them and reads them."""

import csv
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import views
from support.commands import Command, Once
from support.files import Rows, digest, in_folder, made_tables, shown
from support.libraries import library

ROOT = Path(__file__).parents[2]
PUBLIC = sorted(path.stem for path in (ROOT / "sql" / "public").glob("*.sql"))
COLUMNS = ROOT / "sql" / "columns.csv"
# What stands behind them: tables and views whose names a user may need, too.
BEHIND = sorted({*made_tables(), *views.computing()})
EVERY_KIND = ["stored", "published"]


@pytest.fixture(params=EVERY_KIND)
def path(
    request: pytest.FixtureRequest, ndcg: Command, loaded: Path, once: Once
) -> Path:
    """Return a warehouse, and a file that was published from it."""
    if request.param == "stored":
        return loaded

    def fill() -> None:
        assert ndcg("publish", "bi.duckdb").code == 0

    once(fill)
    return loaded.parent / "bi.duckdb"


def rows(connection: duckdb.DuckDBPyConnection, relation: str) -> Rows:
    """Return the rows of a relation, in order."""
    return sorted(connection.execute(f"from {relation}").fetchall(), key=repr)


def test_a_bare_session_lists_the_files_of_sql_public(path: Path) -> None:
    assert [name for (name,) in shown("show tables", path)] == PUBLIC
    assert len(PUBLIC) > 25


def test_the_information_schema_lists_and_explains_them(path: Path) -> None:
    sql = (
        "select table_name, table_type, table_comment from information_schema.tables"
        " where table_schema = 'main' order by table_name"
    )
    found = shown(sql, path)
    assert [name for name, _, _ in found] == PUBLIC
    kind = "VIEW" if path.name == "ndcg.duckdb" else "BASE TABLE"
    assert {found_kind for _, found_kind, _ in found} == {kind}
    assert all(comment for _, _, comment in found)
    sql = (
        "select table_name, column_name, column_comment"
        " from information_schema.columns where table_schema = 'main'"
    )
    described = shown(sql, path)
    assert {name for name, _, _ in described} == {*PUBLIC}
    meanings = dict(csv.reader(COLUMNS.open(encoding="utf-8", newline="")))
    for name, column, comment in described:
        assert comment, f"{name}.{column}"
        assert comment == meanings[column], f"{name}.{column}"


def test_a_column_has_one_type_in_all_relations(path: Path) -> None:
    sql = (
        "select column_name, list(distinct data_type order by data_type)"
        " from information_schema.columns where table_schema = 'main' group by all"
    )
    types = dict(shown(sql, path))
    assert {name: found for name, found in types.items() if len(found) > 1} == {}
    # Few clients have integers of 128 bits.
    assert ["HUGEINT"] not in types.values()


def assert_as_by_itself(
    connection: duckdb.DuckDBPyConnection, attached: str, path: Path
) -> None:
    """Compare every public relation with what the file by itself shows."""
    filled = 0
    # DuckDB opens a file once in a process.
    copy = Path(shutil.copyfile(path, path.parent / "copy"))
    with duckdb.connect(str(copy), read_only=True) as alone:
        for name in PUBLIC:
            found = rows(connection, f"{attached}.{name}")
            assert found == rows(alone, name), name
            filled += bool(found)
    # Of two small files not every relation has rows.
    assert filled > 12


@pytest.mark.slow
def test_an_attached_file_shows_what_it_shows_by_itself(
    ndcg: Command, loaded: Path
) -> None:
    assert ndcg("publish", "bi.duckdb").code == 0
    before = digest(Path("bi.duckdb"))
    with duckdb.connect() as connection:
        connection.execute("attach 'bi.duckdb' as \"of the shop\" (read_only)")
        assert_as_by_itself(connection, '"of the shop"', loaded)
    assert digest(Path("bi.duckdb")) == before
    assert in_folder(loaded.parent) == ["bi.duckdb", "copy", "ndcg.duckdb"]


@pytest.mark.slow
def test_tables_of_the_user_with_the_same_names_change_nothing(loaded: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{loaded}' as w (read_only)")
        connection.execute("create schema store")
        for schema in ("main", "store"):
            for name in sorted({*BEHIND, *PUBLIC}):
                sql = f'create table {schema}."{name}" as select 1 as nothing'
                connection.execute(sql)
        assert_as_by_itself(connection, "w", loaded)


# The loaded warehouse has the measure R@100. Its run returns both relevant documents
# of the query q1, one of them first, and answers q2 not at all.
ANOTHER = (
    "select * replace ('R@1' as measure, 1 as cutoff) from w.store.measures"
    " where measure = 'R@100'"
)


@pytest.mark.parametrize("kind", ["table", "view"])
def test_what_is_temporary_hides_what_computing_views_read(
    loaded: Path, kind: str
) -> None:
    values = (
        "select measure, query_id, value from w.store.computed_values"
        " where measure like 'R@%' order by all"
    )
    registered = [("R@100", "q1", 1), ("R@100", "q2", 0)]
    with duckdb.connect() as connection:
        connection.execute(f"attach '{loaded}' as w (read_only)")
        assert connection.execute(values).fetchall() == registered
        stored = rows(connection, "w.measures")
        connection.execute(f"create temp {kind} measures as {ANOTHER}")
        found = connection.execute(values).fetchall()
        assert found == [("R@1", "q1", 0.5), ("R@1", "q2", 0)]
        # What is told of what was loaded and registered names the schema.
        assert rows(connection, "w.measures") == stored
        connection.execute(f"drop {kind} temp.measures")
        assert connection.execute(values).fetchall() == registered


@pytest.mark.slow
def test_the_table_of_columns_is_read_equally_by_all() -> None:
    with COLUMNS.open(encoding="utf-8", newline="") as file:
        read = [tuple(row) for row in csv.reader(file)]
    assert read[0] == ("column", "meaning")
    assert read[1:] == sorted(read[1:])
    pandas: Any = library("pandas")
    polars: Any = library("polars")
    frame = pandas.read_csv(COLUMNS, keep_default_na=False)
    assert list(frame.columns) == list(read[0])
    assert list(frame.itertuples(index=False, name=None)) == read[1:]
    frame = polars.read_csv(COLUMNS)
    assert frame.columns == list(read[0])
    assert frame.rows() == read[1:]
    assert duckdb.read_csv(str(COLUMNS)).fetchall() == read[1:]
