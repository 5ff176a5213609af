"""The SQL files keep the rules that let them be read one by one."""

import re
from pathlib import Path
from typing import get_args

import duckdb
import pytest

from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.database.database import Database
from ndcg_sql.database.views import View
from ndcg_sql.reading.staging import RowsOf
from support.files import made_tables

ROOT = Path(__file__).parents[2]
SQL_FILES = sorted((ROOT / "sql").rglob("*.sql")) + sorted(
    (ROOT / "migrations").glob("*.sql")
)
VIEW_FILES = [
    path for path in SQL_FILES if path.relative_to(ROOT).parts[1] in ("views", "public")
]
COMPUTING = views.computing()
PUBLIC = views.public()


def code(path: Path) -> str:
    """Return the text of a SQL file without its comments."""
    return re.sub(r"(?m)--.*$", "", path.read_text(encoding="utf-8"))


def shown(path: Path) -> str:
    """Return the path of a SQL file as the name of a test."""
    return str(path.relative_to(ROOT))


def qualified(view: View) -> set[str]:
    """Return what a view reads, with the schemas that it names."""
    with duckdb.connect() as connection:
        found = connection.get_table_names(view.select, qualified=True)
    # What has a name of its own in the select comes as "view AS name".
    return {name.partition(" AS ")[0] for name in found}


@pytest.mark.parametrize("view", COMPUTING.values(), ids=COMPUTING)
def test_a_computing_view_reads_tables_and_views_of_the_store_alone(view: View) -> None:
    # Without a schema, so that temporary tables hide what they read.
    read = qualified(view)
    assert read <= {*made_tables(), *COMPUTING} - {view.name, "sql_files"}
    # What is known of families stands in the view itself.
    assert bool(read) == (view.name != "bounded_families")


@pytest.mark.parametrize("view", PUBLIC.values(), ids=PUBLIC)
def test_a_public_view_names_the_schema_of_all_that_it_reads(view: View) -> None:
    read = qualified(view)
    assert read
    assert read <= {f"store.{name}" for name in (*made_tables(), *COMPUTING)}


def test_views_are_made_in_an_order_in_which_each_comes_after_what_it_reads() -> None:
    for start in (list(COMPUTING), list(COMPUTING)[::-1], ["value_bounds"]):
        ordered = [view.name for view in views.in_order(start)]
        assert set(start) <= set(ordered)
        assert len(set(ordered)) == len(ordered)
        for place, name in enumerate(ordered):
            read = views.reads(COMPUTING[name].select) & COMPUTING.keys()
            assert read <= set(ordered[:place]), name


@pytest.mark.slow
def test_all_views_can_be_made_one_by_one(memory: Database) -> None:
    with opening.scratch() as database:
        for view in views.in_order(COMPUTING):
            sql = f"create or replace view {view.name} as {view.select}"
            database.execute(sql)
            assert database.execute(f"select * from {view.name} limit 0") == []
            described = f"describe {view.name}"
            assert database.execute(described) == memory.execute(described)


def test_views_have_names_of_their_own() -> None:
    for folder in ("views", "public"):
        names = [Path(name).name for name in sql_files.names(folder)]
        assert len(set(names)) == len(names)
    assert not COMPUTING.keys() & made_tables()
    # A public view has the name of what it shows, where that has a name at all.
    assert PUBLIC.keys() & (COMPUTING.keys() | made_tables())


@pytest.mark.parametrize("path", VIEW_FILES, ids=shown)
def test_a_view_is_one_select_that_opens_with_its_comment(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert sql_files.opening_comment(text)
    assert ";" not in code(path)
    assert re.match(r"\s*(select|with)\b", code(path))


@pytest.mark.parametrize("path", SQL_FILES, ids=shown)
def test_a_sql_file_is_tidy(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\t" not in text
    assert "\r" not in text
    assert not re.search(r"(?m) +$", text)


CHECKS = sql_files.rows("checks")


def test_every_check_has_one_row_that_orders_it() -> None:
    names = [row["check"] for row in CHECKS]
    assert len(set(names)) == len(names)
    assert {f"checks/{name}" for name in names} == set(sql_files.names("checks"))


@pytest.mark.parametrize("row", CHECKS, ids=lambda row: row["check"])
def test_a_check_has_a_sentence_and_says_of_what_rows_it_is(
    row: dict[str, str],
) -> None:
    known = {name for part in get_args(RowsOf) for name in get_args(part) or (part,)}
    assert set(row["rows_of"].split()) <= known
    assert row["rows_of"]
    assert row["compares"] in ("line", "rows")
    name = f"checks/{row['check']}"
    sentence = sql_files.opening_comment(sql_files.read(name))
    assert sentence
    for field in re.findall(r"{(\w+)}", sentence):
        assert re.search(rf"\b{field}\b", code(ROOT / "sql" / f"{name}.sql")), name


def test_what_rows_compare_comes_after_what_each_row_is() -> None:
    for rows_of in {name for row in CHECKS for name in row["rows_of"].split()}:
        own = [row for row in CHECKS if rows_of in row["rows_of"].split()]
        # Which document a row is about has to be right first.
        kinds = [row["compares"] for row in own]
        assert kinds == sorted(kinds, key=("line", "rows").index), rows_of
