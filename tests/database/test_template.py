"""A new warehouse is copied from a template, which is one that SQL alone makes."""

import re
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening, template
from ndcg_sql.database.database import Database
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages

_CATALOG = (
    "select schema_name, table_name, comment, sql from duckdb_tables()",
    "select schema_name, view_name, comment, sql from duckdb_views()"
    " where not internal",
    "select schema_name, table_name, column_name, comment, data_type, is_nullable,"
    " column_default from duckdb_columns() where not internal",
    "select schema_name, sequence_name, start_value, last_value, sql"
    " from duckdb_sequences()",
    "select schema_name, table_name, constraint_text from duckdb_constraints()",
    "select * from store.measures",
    "select * from store.gains",
    "select path, checksum from store.sql_files",
)


def contents(database: Database) -> list[list[tuple[object, ...]]]:
    """Return all that is in a warehouse without data."""
    found: list[list[tuple[object, ...]]] = []
    for select in _CATALOG:
        rows = database.execute(f"{select} order by all")
        found.append([tuple(map(_in_order, row)) for row in rows])
    return found


def _in_order(value: object) -> object:
    """Return a text whose columns to exclude are sorted: DuckDB keeps no order."""
    return (
        re.sub(
            r"(?<=EXCLUDE \()[^()]*",
            lambda names: ", ".join(sorted(names[0].split(", "))),
            value,
        )
        if isinstance(value, str)
        else value
    )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a template of the present SQL, whatever was installed."""
    path = tmp_path_factory.mktemp("built") / "template.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(template, "path", lambda: None)
        opening.make(path)
    return path


@pytest.mark.slow
def test_a_copy_is_what_the_sql_makes(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened() -> Database:
        path = tmp_path / "new.duckdb"
        path.unlink(missing_ok=True)
        opening.make(path)
        return opening.read(path)

    monkeypatch.setattr(template, "path", lambda: None)
    with opened() as warehouse:
        made = contents(warehouse)
    monkeypatch.setattr(template, "path", lambda: built)
    with opened() as warehouse:
        assert contents(warehouse) == made
        assert [len(rows) > 0 for rows in made].count(False) == 1
        # Nothing is left of where it came from.
        assert len(warehouse.execute("show databases")) == 1
        stamps = "select count(*) from store.sql_files where applied_at > now() - {}"
        recent = stamps.format("interval 1 minute")
        assert warehouse.execute(recent) == warehouse.execute(
            "select count(*) from store.sql_files"
        )


def test_a_template_of_other_sql_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template, "name", lambda: "template-of-other-sql.duckdb")
    template.path.cache_clear()
    try:
        assert template.path() is None
    finally:
        template.path.cache_clear()


@pytest.mark.slow
def test_a_file_with_tables_of_others_keeps_them(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template, "path", lambda: built)
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table orders as select 7 as amount")
    opening.make(path)
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute("from orders").fetchall() == [(7,)]
        assert connection.execute("from run_values").fetchall() == []


@pytest.mark.slow
def test_many_rows_loaded_first_are_counted(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template, "path", lambda: built)
    qrels = tmp_path / "qrels"
    rows = (f"q{i // 3} 0 d{i} 1\n" for i in range(300_000))
    qrels.write_text("".join(rows), encoding="utf-8")
    for database in (
        opening.write(tmp_path / "new.duckdb", lambda _: 0),
        opening.memory(),
    ):
        with database:
            load(database, "judgments", [qrels], Options(), Messages())
            counts = "select query_count, judgment_count from judgment_sets"
            assert database.execute(counts) == [(100_000, 300_000)]
