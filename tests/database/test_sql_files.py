"""The SQL files keep the rules that let them be read one by one."""

import re
from pathlib import Path
from typing import cast, get_args

import pytest
import sqlglot
from sqlglot import exp

from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.database.database import Database
from ndcg_sql.database.views import View
from ndcg_sql.reading import staging
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


def qualified(view: View) -> set[str]:
    """Return what a view reads, with the schemas that it names."""
    tree = sqlglot.parse_one(view.select, read="duckdb")
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    return {exp.table_name(table) for table in tree.find_all(exp.Table)} - own


@pytest.mark.slow
def test_computing_views_read_tables_and_views_of_the_store_alone() -> None:
    # Without a schema, so that temporary tables hide what they read.
    known = {*made_tables(), *COMPUTING} - {"sql_files"}
    for view in COMPUTING.values():
        read = qualified(view)
        assert read == views.reads(view.select), view.name
        assert read <= known - {view.name}, view.name
        # What is known of families stands in the view itself.
        assert bool(read) == (view.name != "family_needs"), view.name


def test_public_views_name_the_schema_of_all_that_they_read() -> None:
    known = {f"store.{name}" for name in (*made_tables(), *COMPUTING)}
    for view in PUBLIC.values():
        read = qualified(view)
        assert read, view.name
        assert read == {f"store.{name}" for name in views.reads(view.select)}
        assert read <= known, view.name


@pytest.mark.slow
def test_views_are_made_one_by_one_each_after_what_it_reads(memory: Database) -> None:
    described = {name: memory.execute(f"describe {name}") for name in COMPUTING}
    for start in (list(COMPUTING)[::-1], list(COMPUTING), ["ndcg_steps"]):
        with opening.scratch() as database:
            ordered = [view.name for view in views.in_order(start)]
            assert set(start) <= set(ordered)
            assert len(set(ordered)) == len(ordered)
            for name in COMPUTING:
                database.execute(f"drop view {name}")
            for name in ordered:
                view = COMPUTING[name]
                # It fails if what it reads is not there.
                database.execute(f"create view {name} as {view.select}")
                assert database.execute(f"describe {name}") == described[name]


def test_views_have_names_of_their_own() -> None:
    for folder in ("views", "public"):
        names = [Path(name).name for name in sql_files.names(folder)]
        assert len(set(names)) == len(names)
    assert not COMPUTING.keys() & made_tables()
    # A public view has the name of what it shows, where that has a name at all.
    assert PUBLIC.keys() & (COMPUTING.keys() | made_tables())


def test_a_view_is_one_select_that_opens_with_its_comment() -> None:
    for path in VIEW_FILES:
        assert sql_files.opening_comment(path.read_text(encoding="utf-8")), path
        assert ";" not in code(path), path
        assert re.match(r"\s*(select|with)\b", code(path)), path


def test_sql_files_are_tidy() -> None:
    for path in SQL_FILES:
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\t" not in text, path
        assert "\r" not in text, path
        assert not re.search(r"(?m) +$", text), path


CHECKS = sql_files.rows("checks")


def test_every_check_has_one_row_that_orders_it() -> None:
    names = [row["check"] for row in CHECKS]
    assert len(set(names)) == len(names)
    files = {f"checks/{row['check']}" for row in CHECKS if not row["message"]}
    assert files == set(sql_files.names("checks"))


@pytest.mark.parametrize("row", CHECKS, ids=lambda row: row["check"])
def test_a_check_has_a_sentence_and_says_of_what_rows_it_is(
    row: dict[str, str],
) -> None:
    known = {name for part in get_args(RowsOf) for name in get_args(part) or (part,)}
    assert set(row["rows_of"].split()) <= known
    assert row["rows_of"]
    assert row["compares"] in ("line", "rows")
    [kind, *_] = row["rows_of"].split()
    check = staging.checks_of(cast("RowsOf", kind))[row["check"]]
    assert check.message
    for field in {*re.findall(r"{(\w+)}", check.message)} - {"unit", "expected"}:
        assert re.search(rf"\b{field}\b", check.select), row["check"]


def test_what_rows_compare_comes_after_what_each_row_is() -> None:
    for rows_of in {name for row in CHECKS for name in row["rows_of"].split()}:
        own = [row for row in CHECKS if rows_of in row["rows_of"].split()]
        # Which document a row is about has to be right first.
        kinds = [row["compares"] for row in own]
        assert kinds == sorted(kinds, key=("line", "rows").index), rows_of
