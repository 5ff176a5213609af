"""ndcg-sql query gives what a select gives, in every format."""

import io
import json
import sys
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.sandbox.child import fault
from ndcg_sql.sandbox.parent import Task
from support.commands import Command
from support.files import RUN, digest, tables
from support.locks import held
from support.scripts import scripted

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("loaded")]

# A value of each kind, and the odd ones of each.
TYPES = """
select *
from (
    values
        (true, 1::tinyint, 170141183460469231731687303715884105727::hugeint,
         9007199254740993::bigint, 1.10::decimal(38, 2), 0.1::double, 0.1::float),
        (false, -1::tinyint, -1::hugeint, 0, -0.01, 'nan', '-inf'),
        (null, null, null, null, null, 5e-324, 'inf')
) as numbers (truth, tiny, huge, big, exact, wide, narrow)
positional join (
    values
        ('a', '\\x00\\xFF'::blob, '0101'::bit, 'é'::enum('é', 'z'),
         '00000000-0000-0000-0000-00000000000a'::uuid),
        ('a,"b"' || chr(10) || chr(9) || chr(27), ''::blob, '1'::bit, 'z', null),
        ('', null, null, null, null)
) as texts (text, bytes, bits, choice, id)
positional join (
    values
        ('2026-01-31 23:59:59.999999'::timestamp, '0044-03-15 (BC)'::date,
         '2026-01-31 12:00:00+02'::timestamptz, '12:00:00.5'::time,
         interval '1 month 2 days 3 ms'),
        ('infinity', '-infinity', 'infinity', '00:00:00', interval '0 days'),
        (null, null, null, null, null)
) as times (moment, day, instant, hour, span)
positional join (
    values
        ([1, null], {'a': 'x,', 'b': [2.5]}, map {'k': 1}, [1, 2]::integer[2]),
        ([], {'a': null, 'b': []}, map {}, [3, null]),
        (null, null, null, null)
) as nested (list, struct, map, pair)
"""
COPIES = {
    "csv": "format csv, header",
    "tsv": "format csv, header, delimiter '\t'",
    "json": "format json, array true",
    "parquet": "format parquet",
}


def copied(sql: str, options: str, folder: Path) -> bytes:
    """Return what DuckDB's own writer makes of the rows of a select."""
    file = folder / "copied"
    with duckdb.connect() as connection:
        connection.execute(f"create temp table answer as {sql}")
        connection.execute(f"copy answer to '{file}' ({options})")
    return file.read_bytes()


@pytest.mark.parametrize("form", COPIES)
def test_every_type_comes_as_the_writers_of_duckdb_write_it(
    ndcg: Command, loaded: Path, form: str
) -> None:
    assert ndcg("query", TYPES, "--format", form, "-o", "answer").code == 0
    written = Path("answer").read_bytes()
    assert written == copied(TYPES, COPIES[form], loaded.parent)
    assert written


def test_types_survive_into_parquet(ndcg: Command) -> None:
    sql = "select * exclude (huge, span, bits, narrow) from (" + TYPES + ")"
    assert ndcg("query", sql, "--format", "parquet", "-o", "answer").code == 0
    columns = "select cast(columns(*) as varchar) from"
    with duckdb.connect() as connection:
        read = connection.execute(f"{columns} read_parquet('answer')").fetchall()
        asked = connection.execute(f"{columns} ({sql})").fetchall()
    assert read == asked
    assert len(read) == 3


def test_values_are_those_of_the_report(ndcg: Command) -> None:
    sql = "select run, measure, value, n from run_values order by measure"
    asked = json.loads(ndcg("query", sql, "--format", "json").out)
    report = json.loads(ndcg("report", "--format", "json").out)
    names = ("run", "measure", "value", "n")
    expected = [{name: row[name] for name in names} for row in report]
    assert asked == sorted(expected, key=lambda row: row["measure"])
    assert len(asked) == 4


@pytest.mark.parametrize(
    "sql",
    [
        # It may be long, and begin with a comment.
        "select length([1" + ", 1" * 20_000 + "]) as n",
        "-- the answer\nselect 20001 as n",
        "--the=answer\nselect 20001 as n",
        "--answer\nselect 20001 as n",
        "--\nselect 20001 as n",
        "-- a\r\nselect 20001 as n",
    ],
)
def test_all_that_selects_is_answered(ndcg: Command, sql: str) -> None:
    result = ndcg("query", sql, "--format", "csv", "--time-limit", "20")
    assert (result.code, result.out, result.err) == (0, "n\n20001\n", "")


def test_the_order_of_a_million_rows_is_kept(ndcg: Command) -> None:
    sql = "select md5(range::varchar) as h from range(1_000_000) order by h desc"
    options = ["--format", "csv", "--memory-limit", "100MB"]
    lines = ndcg("query", sql, *options).out.splitlines()
    assert len(lines) == 1_000_001
    assert lines[1:] == sorted(lines[1:], reverse=True)


@pytest.mark.parametrize("explain", ["explain", "EXPLAIN  analyze"])
def test_a_plan_is_shown_as_duckdb_draws_it(ndcg: Command, explain: str) -> None:
    result = ndcg("query", f"{explain} select max(position) from rankings")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(("┌", "╭"))
    rows = json.loads(ndcg("query", f"{explain} select 1", "--format", "json").out)
    assert [set(row) for row in rows] == [{"step", "plan"}]


def test_sql_comes_from_standard_input(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for data, code in ((b"\xef\xbb\xbfselect 'x'\nas y", 0), (b"select '\xff'", 2)):
        stdin = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr(sys, "stdin", stdin)
        assert ndcg("query", "-", "--format", "csv").code == code


test_script = scripted(__file__)


@pytest.mark.parametrize(
    "error",
    [
        duckdb.Error('Corrupt database file: computed checksum 1 does not match "2"'),
        duckdb.IOException("IO Error: Could not read enough bytes from file x"),
        duckdb.IOException("IO Error: Tried to read 9 bytes: not read enough bytes"),
    ],
)
def test_a_damaged_file_has_one_sentence(error: duckdb.Error) -> None:
    task = Task("", "w.duckdb", "csv", "out", 0, 1, 1, None)
    damaged = "w.duckdb: the file is damaged; restore it from a copy"
    assert str(fault(error, task)) == damaged


def test_a_writer_that_is_done_in_time_is_waited_for(
    ndcg: Command, loaded: Path
) -> None:
    with held(loaded, "write", 0.5):
        assert ndcg("query", "from runs").code == 0


def test_a_query_reads_and_changes_nothing(ndcg: Command, loaded: Path) -> None:
    before, rows = digest(loaded), tables(loaded)
    assert ndcg("query", "from query_values").code == 0
    assert digest(loaded) == before
    Path("late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    assert len(tables(loaded)["runs"]) == len(rows["runs"]) + 1
