"""The warehouse file: its name, version, comments, upgrades and neighbours."""

import os
import re
from pathlib import Path

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.database.connections import HEADERS
from ndcg_sql.database.database import Database
from ndcg_sql.database.schema import PUBLISHED
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.measures.families import families
from support import exploring
from support.commands import Command
from support.files import (
    QRELS,
    RUN,
    change,
    digest,
    in_folder,
    made_tables,
    shown,
    tables,
)

pytestmark = pytest.mark.mostly_slow


@pytest.fixture
def files(loaded: Path) -> Path:
    """Put a warehouse and files to load into place."""
    for name, text in (("qrels", QRELS), ("base", RUN), ("late", RUN)):
        (loaded.parent / name).write_text(text)
    return loaded


@pytest.mark.quick
def test_a_new_file_is_of_the_version_that_every_client_opens(loaded: Path) -> None:
    sql = "select tags['storage_version'] from duckdb_databases() where not internal"
    assert str(shown(sql, loaded)[0][0]).strip("[]'") == "v1.0.0+"


@pytest.mark.quick
def test_every_table_and_view_says_what_a_row_is(loaded: Path) -> None:
    sql = (
        "select schema_name, table_name, comment from duckdb_tables()"
        " union all select schema_name, view_name, comment from duckdb_views()"
        " where not internal"
    )
    comments = {(schema, name): comment for schema, name, comment in shown(sql, loaded)}
    stored = {*made_tables(), *views.computing()}
    assert set(comments) == {
        *(("store", name) for name in stored),
        *(("main", name) for name in views.public()),
    }
    for (_, name), comment in comments.items():
        assert comment, name
        first = re.match(r"\w+", comment)
        assert first is not None, name
        assert first[0][0].isupper() or first[0] in families(), name
        assert comment.strip() == comment, name
        assert "  " not in comment, name


@pytest.mark.quick
def test_every_column_has_a_meaning_and_every_meaning_is_used(loaded: Path) -> None:
    sql = (
        "select schema_name, table_name, column_name, comment from duckdb_columns()"
        " where not internal"
    )
    meanings = {row["column"]: row["meaning"] for row in sql_files.rows("columns")}
    used: set[str] = set()
    for schema, table, column, comment in shown(sql, loaded):
        # The relations that people see say it themselves.
        expected = meanings[column] if schema == "main" else None
        assert comment == expected, f"{schema}.{table}.{column}"
        if schema == "main":
            used.add(column)
    assert sorted(used) == sorted(meanings)
    assert len(meanings) == len(sql_files.rows("columns"))


def test_comments_survive_the_replacement_of_the_views(files: Path) -> None:
    change(
        files, "update store.sql_files set checksum = 'old' where path = 'sql/views'"
    )
    opening.write(files, refill).close()
    test_every_table_and_view_says_what_a_row_is(files)
    test_every_column_has_a_meaning_and_every_meaning_is_used(files)


COMMANDS = [
    ["load", "run", "late"],
    ["load", "run", "late", "--name", "base"],
    ["load", "run", "qrels"],
    ["load", "judgments", "qrels", "--name", "more"],
    ["measures", "add", "P@5", "nDCG(gains={1:5})@5"],
    ["measures", "add", "nothing"],
    ["measures", "remove", "AP"],
    ["report"],
    ["report", "-m", "P@5", "-q"],
    ["explain", "base", "q1", "-m", "nDCG@3"],
    ["list"],
]


def test_no_log_and_no_other_file_outlives_a_command_and_reading_changes_nothing(
    ndcg: Command, files: Path
) -> None:
    names = in_folder(files.parent)
    for command in COMMANDS:
        before = digest(files)
        code = ndcg(*command).code
        assert in_folder(files.parent) == names, command
        if command in COMMANDS[-4:]:
            assert (code, digest(files)) == (0, before), command


@pytest.mark.quick
def test_opening_for_writing_changes_no_byte(files: Path) -> None:
    before = digest(files)
    opening.write(files, refill).close()
    assert digest(files) == before


def stopped(warehouse: Database, *statements: str) -> None:
    """Execute statements in a transaction, and stop before its end."""
    with warehouse.transaction():
        for statement in statements:
            warehouse.execute(statement)
        raise NdcgSqlError("stop")


def test_a_failed_transaction_leaves_nothing(files: Path) -> None:
    before = tables(files)
    insert = "insert into run_tags values (1, 'a', 'b')"
    with opening.write(files, refill) as warehouse:
        with pytest.raises(NdcgSqlError, match="stop"):
            stopped(warehouse, insert, "create table more as select 1 as x")
        with pytest.raises(duckdb.Error):
            stopped(warehouse, insert, "insert into nothing values (1)")
        assert warehouse.execute("from run_tags") == []
    assert tables(files) == before


DERIVED = {
    "evaluations": "computed_evaluations",
    "run_queries": "computed_run_queries",
    "hits": "computed_hits",
    "stored_values": "computed_values",
    "stored_run_values": "computed_run_values",
    "stored_weighted_values": "summarized_values"
    " where attribute is null and weighted_n > 0",
}


def test_the_derived_tables_equal_the_views_that_fill_them(
    ndcg: Command, files: Path
) -> None:
    Path("other").write_text("q1 Q0 c 1 9 t\nq1 Q0 a 2 9 t\nq2 Q0 a 3 -inf t\n")
    Path("newer").write_text("q1 0 u 3\nq1 0 a -1\nq3 0 a 0.5\nq4 0 z 0\n")
    Path("heavy.csv").write_text("query_id,weight\nq1,3\nq2,0.1\n")
    Path("light.csv").write_text("query_id,weight\nq1,0.7\n")
    for command in (
        ["load", "queries", "heavy.csv"],
        ["measures", "add", "nDCG(dcg='exp-log2',no_rel='omit')@3", "P(rel=2)@5"],
        ["load", "run", "other"],
        ["load", "judgments", "newer"],
        ["measures", "add", "nDCG(gains={1:5},missing='omit')@5", "Judged@2"],
        ["load", "queries", "light.csv"],
        ["measures", "remove", "AP"],
    ):
        assert ndcg(*command).code == 0
    names = (
        "select column_name from duckdb_columns()"
        " where schema_name = 'store' and table_name = '{}'"
    )
    for table, view in DERIVED.items():
        columns = ", ".join(name for (name,) in shown(names.format(table), files))
        stored = shown(f"select {columns} from store.{table}", files)
        computed = shown(f"select {columns} from store.{view}", files)
        assert len(stored) > 2
        assert sorted(map(repr, stored)) == sorted(map(repr, computed)), table


@pytest.mark.parametrize("part", [0.5, 5000, 12288, 300_000, 100])
def test_a_file_that_was_cut_short_is_told(
    ndcg: Command, loaded: Path, part: float
) -> None:
    whole = loaded.read_bytes()
    loaded.write_bytes(whole[: int(part if part > 1 else part * len(whole))])
    Path("late").write_text("q1 Q0 a 1 1 t\n")
    before = digest(loaded)
    for command in (
        *(["list"], ["report"], ["check"], ["query", "from runs"]),
        *(["load", "run", "late"], ["export", "run", "base"], ["publish", "copy"]),
    ):
        result = ndcg(*command)
        assert (result.code, result.out) == (2, ""), command
        what = "the file is damaged;"
        if 1 < part < HEADERS:
            what = "a file without data; remove it, so that one can be made, or"
        assert result.err == f"ndcg.duckdb: {what} restore it from a copy\n"
    assert digest(loaded) == before


def test_a_check_finds_that_the_end_of_a_file_was_cut_off(
    ndcg: Command, loaded: Path
) -> None:
    # Commands that read nothing of the last block answer as before.
    os.truncate(loaded, loaded.stat().st_size * 99 // 100)
    assert "the file is damaged; restore it from a copy" in ndcg("check").refusal


# DuckDB names a database after its file, and that name hides no schema: names of
# schemas, of databases that DuckDB has itself, and of a relation.
NAMES = exploring.mostly_slow(
    [
        *("information_schema", "pg_catalog", "main", "system", "temp", "memory"),
        *(PUBLISHED, "PUBLISHED", "run_values", "a.b"),
        *("ndcg_sql_template", "published by ndcg-sql"),
    ],
    PUBLISHED,
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
        *(["query", ALL], ["check"], ["publish", "copy.duckdb"]),
        ["publish", "folder/"],
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
