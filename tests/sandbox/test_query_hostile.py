"""SQL that means harm: it writes, reads, reaches and reveals nothing, and ends.

Every statement is tried against a warehouse beside which lie a file with a
secret and a server that waits for a call.
"""

import hashlib
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command

SECRET = "canary-4711"

# What is refused. {own} is the warehouse, {secret} the file with the secret,
# {new} a file that is not there, {url} the server. Each name is a test.
REFUSED = {
    "insert": "insert into store.run_tags values (1, 'x', 'y')",
    "update": "update store.runs set name = 'x'",
    "delete": "delete from store.runs",
    "truncate": "truncate store.runs",
    "merge": "merge into store.runs using store.runs as other using (run_id)"
    " when matched then delete",
    "create table": "create table stolen as from runs",
    "create temp": "create temp table runs as select 1 as x",
    "create view": "create or replace view run_values as select 1 as x",
    "create macro": "create macro log2(x) as 0",
    "create sequence": "create temp sequence s",
    "create type": "create type grade as enum ('a')",
    "create trigger": "create trigger t after insert on store.runs"
    " for each row select 1",
    "alter": "alter table store.runs add column x integer",
    "drop": "drop table store.runs",
    "drop view": "drop view runs",
    "drop schema": "drop schema store cascade",
    "create in store": "create table store.stolen as select 1 as x",
    "insert into what is shown": "insert into run_tags select * from run_tags",
    "comment": "comment on table store.runs is 'x'",
    "begin": "begin",
    "checkpoint": "checkpoint",
    "vacuum": "vacuum",
    "analyze": "analyze",
    "with insert": "with gone as (insert into store.run_tags values (1, 'x', 'y')"
    " returning *) from gone",
    "with delete": "with gone as (delete from store.runs returning *) from gone",
    "insert after": "select 1; insert into store.run_tags values (1, 'x', 'y')",
    "insert before": "delete from store.runs; select 1",
    "nextval": "select nextval('s')",
    "copy to": "copy runs to '{new}'",
    "copy to own": "copy runs to '{own}' (use_tmp_file false)",
    "copy to own tmp": "copy runs to '{own}'",
    "copy to parquet": "copy runs to '{new}' (format parquet)",
    "copy to stdout": "copy runs to '/dev/stdout'",
    "copy from": "copy store.runs from '{secret}'",
    "copy database": "copy from database ndcg to memory",
    "with copy": "with out as (copy runs to '{new}') from out",
    "with copy to own": "with out as (copy (select 1) to '{own}' (use_tmp_file false))"
    " from out",
    "with copy within": "select * from (with out as (copy (select 1) to '{own}'"
    " (use_tmp_file false)) from out)",
    "with copy within scalar": "select (with out as (copy (select 1) to '{own}'"
    " (use_tmp_file false)) select count(*) from out)",
    "explain copy": "explain copy (select 1) to '{new}'",
    "explain analyze copy": "explain analyze copy (select 1) to '{new}'",
    "explain analyze copy to own": "explain analyze copy (select 1) to '{own}'"
    " (use_tmp_file false)",
    "explain options copy": "explain (analyze) copy (select 1) to '{own}'"
    " (use_tmp_file false)",
    "explain analyze insert": "explain analyze insert into store.run_tags values"
    " (1, 'x', 'y')",
    "explain analyze create": "explain analyze create temp table x as select 1",
    "explain twice": "explain explain select 1",
    "explain two": "explain select 1; delete from store.runs",
    "export": "export database '{new}'",
    "import": "import database '{new}'",
    "read_csv": "from read_csv('{secret}')",
    "read_csv upper": "FROM READ_CSV('{secret}')",
    "read_csv qualified": "from system.main.\"read_csv\"('{secret}')",
    "read_csv_auto": "from read_csv_auto('{secret}')",
    "read_text": "from read_text('{secret}')",
    "read_blob": "from read_blob('{secret}')",
    "read_blob of own": "from read_blob('{own}')",
    "read_json": "from read_json('{secret}')",
    "read_json_objects": "from read_ndjson_objects('{secret}')",
    "read_parquet": "from read_parquet('{secret}')",
    "read_duckdb": "from read_duckdb('{secret}')",
    "parquet_metadata": "from parquet_metadata('{secret}')",
    "sniff_csv": "from sniff_csv('{secret}')",
    "glob": "from glob('{folder}/*')",
    "in a subquery": "select (select content from read_text('{secret}'))",
    "in a lambda": "select list_transform([1], lambda x: (select max(content)"
    " from read_text('{secret}')))",
    "in with": "with stolen as (from read_text('{secret}')) from stolen",
    "in describe": "describe from read_csv('{secret}')",
    "in summarize": "summarize from read_csv('{secret}')",
    "in pivot": "pivot (from read_csv('{secret}')) on x in ('a') using count(*)",
    "in order": "from runs order by (select max(content) from read_text('{secret}'))",
    "lateral": "from (select '{secret}' as f), lateral (from read_text(f))",
    "in explain": "explain analyze from read_text('{secret}')",
    "from file": "from '{secret}'",
    "from dots": "from '../{name}/secret.csv'",
    "from relative": "from 'secret.csv'",
    "from stdin": "from read_csv('/dev/stdin')",
    "from proc": "from read_text('/proc/self/environ')",
    "from passwd": "from read_csv('/etc/passwd')",
    "from home": "from read_text('~/.netrc')",
    "attach": "attach '{new}' as other",
    "attach own": "attach '{own}' as other (read_only false)",
    "attach memory": "attach ':memory:' as other",
    "attach sqlite": "attach '{new}' (type sqlite)",
    "detach": "detach ndcg",
    "use": "use system",
    "install": "install httpfs",
    "load": "load '{new}'",
    "load by use": "from sqlite_scan('{secret}', 't')",
    "http": "from read_csv('{url}/x.csv')",
    "http from": "from '{url}/x.parquet'",
    "s3": "from 's3://bucket/x.parquet'",
    "set access": "set enable_external_access = true",
    "set lock": "set lock_configuration = false",
    "set memory": "set memory_limit = '100GB'",
    "set threads": "set threads = 64",
    "set temp": "set temp_directory = '{new}'",
    "set extensions": "set autoload_known_extensions = true",
    "set home": "set home_directory = '{folder}'",
    "set log": "set log_query_path = '{new}'",
    "set profile": "set profiling_output = '{new}'",
    "set replacements": "set python_enable_replacements = true",
    "set allowed": "set allowed_directories = ['/']",
    "set variable": "set variable x = 1",
    "reset access": "reset enable_external_access",
    "reset lock": "reset lock_configuration",
    "pragma": "pragma enable_profiling",
    "pragma database": "pragma database_list",
    "call": "call enable_logging()",
    "call checkpoint": "call force_checkpoint()",
    "create secret": "create secret s (type s3, key_id 'x', secret 'y')",
    "persistent secret": "create persistent secret s (type s3, key_id 'x')",
    "secrets": "from duckdb_secrets(redact = false)",
    "settings": "from duckdb_settings()",
    "logging": "from enable_logging('QueryLog', storage = 'file',"
    " storage_config = {{'path': '{new}'}})",
    "profiling": "from enable_profiling(format = 'json', save_location = '{new}')",
    "profiling to own": "from enable_profiling(format = 'json',"
    " save_location = '{own}')",
    "checkpoint function": "from checkpoint()",
    "query": "from query('from read_text(''{secret}'')')",
    "query profiling": "from query('from enable_' || 'profiling()')",
    "query_table": "from query_table('{secret}')",
    "serialized": "from json_execute_serialized_sql(json_serialize_sql("
    "'from read_text(''{secret}'')'))",
    "arrow scan": "from arrow_scan(0, 0, 0)",
    "python": "from python_map_function(0)",
    "getenv": "select getenv('CANARY')",
    "replacement": "from question",
    "replacement of a module": "from sys",
    "prepare": "prepare p as select 1",
    "execute": "execute p",
    "parameter": "select $1",
    "nul": "select 1\0; delete from store.runs",
}

# What is answered, without harm and without the secret.
HARMLESS = {
    "write_log": "select write_log('{new}')",
    "functions": "select count(*) from range(2), generate_series(1, 2), repeat(1, 2),"
    " unnest([1]), json_each('[1]'), json_tree('[1]')",
    "variable": "select getvariable('CANARY')",
    "text that looks like SQL": "select ') to ''{own}''; delete from runs; --'",
    "own name": "select current_query()",
    "catalog": "from information_schema.tables",
    "settings one by one": "select current_setting('enable_external_access')",
}


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """Listen for anybody who calls."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        yield listener


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder and below, and the folders."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        if path.is_file()
        else "folder"
        for path in folder.rglob("*")
    }


# One of each kind is tried each time.
USUAL = (
    *("insert", "create temp", "drop view", "with insert", "insert after"),
    *("copy to own tmp", "with copy within scalar", "explain two"),
    *("explain options copy", "export", "read_csv qualified", "read_blob of own"),
    *("in a lambda", "in describe", "from relative", "attach own", "install"),
    *("http from", "set access", "reset lock", "pragma", "call", "persistent secret"),
    *("profiling to own", "query", "getenv", "replacement", "parameter", "nul"),
    "functions",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", exploring.mostly_slow([*REFUSED, *HARMLESS], *USUAL))
def test_hostile_sql_has_no_effect(
    ndcg: Command,
    loaded: Path,
    server: socket.socket,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    folder = loaded.parent
    monkeypatch.setenv("CANARY", SECRET)
    (folder / "secret.csv").write_text(f"{SECRET}\n{SECRET}\n")
    (folder / "home").mkdir()
    (folder / "home" / ".netrc").write_text(SECRET)
    monkeypatch.setenv("HOME", str(folder / "home"))
    (folder / "statement.sql").write_text(
        {**REFUSED, **HARMLESS}[name].format(
            own=loaded,
            secret=folder / "secret.csv",
            new=folder / "new",
            folder=folder,
            name=folder.name,
            url=f"http://127.0.0.1:{server.getsockname()[1]}",
        )
    )
    before = contents(folder)
    with (folder / "statement.sql").open() as statement:
        monkeypatch.setattr("sys.stdin", statement)
        result = ndcg("query", "-", "--format", "csv")
    assert result.code == (2 if name in REFUSED else 0), result
    assert SECRET not in result.out + result.err
    if name in REFUSED:
        assert result.out == ""
        assert re.fullmatch(r"query: [^\n]+\n", result.err), result.err
    assert contents(folder) == before
    with pytest.raises(BlockingIOError):
        server.accept()


def test_there_are_at_least_the_44_statements_promised() -> None:
    assert len(REFUSED) >= 44


MANY = "range(10_000_000_000)"
ENDLESS = {
    "cross join": f"select count(*) from {MANY} a, {MANY} b where a.range < -b.range",
    "three joins": "select sum(a.query_id = b.range::varchar) from store.hits a,"
    f" {MANY} b, {MANY} c",
    "recursion": "with recursive n as (select 1 as i union all select i + 1 from n)"
    " select max(i) from n",
    "doubling recursion": "with recursive n as (select 1 as i union all"
    " select n.i + other.i from n, (values (1), (2)) as other (i))"
    " select count(*) from n",
    "growing recursion": "with recursive n as (select 'x' as s union all"
    " select s || s from n) select max(length(s)) from n",
    "long list": "select length(range(0, 3_000_000_000))",
    "long series": "select sum(x) from (select unnest(range(0, 4_000_000_000)) as x)",
    "giant text": "select length(repeat('x', 4_000_000_000))",
    "many giant texts": "select sum(length(repeat('x', 50_000_000) || range))"
    " from range(1_000_000)",
    "sort": "select last(s) from (select md5(range::varchar) as s"
    " from range(10_000_000_000) order by s)",
    "distinct": "select count(distinct md5(range::varchar)) from range(10_000_000_000)",
    "text aggregation": "select length(string_agg(range::varchar, ','))"
    " from range(10_000_000_000)",
    "list aggregation": f"select length(list(range)) from {MANY}",
    "nested lists": "select list_transform(range(100_000_000), lambda x:"
    " list_sum(range(x)))",
    "window": "select max(m) from (select median(range) over (order by range"
    " rows between 1_000_000 preceding and current row) as m"
    " from range(100_000_000))",
    "regex": "select count(*) from range(100_000_000) where regexp_matches("
    "repeat('a', 5000) || range, '(a|aa)+(a|aa)+(a|aa)+b$')",
    "edit distance": "select levenshtein(repeat('a', 1_000_000),"
    " repeat('b', 1_000_000))",
    "like": "select count(*) from range(100_000_000) where repeat('a', 10000) || range"
    " like '%a%a%a%a%a%a%b'",
    "sleep": "select sleep_ms(600_000)",
    "many rows": "select md5(range::varchar) from range(100_000_000_000)",
    "many rows for people": "select range from range(100_000_000)",
    "explain analyze": f"explain analyze select count(*) from {MANY} a, {MANY} b"
    " where a.range < -b.range",
}


def children() -> set[str]:
    """Return the children of this process; some tests run servers meanwhile."""
    files = Path("/proc/self/task").glob("*/children")
    return {child for file in files for child in file.read_text().split()}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    exploring.mostly_slow(ENDLESS, "cross join", "giant text", "many rows for people"),
)
def test_what_never_ends_is_ended(ndcg: Command, loaded: Path, name: str) -> None:
    form = "table" if name == "many rows for people" else "csv"
    before = children()
    start = time.monotonic()
    assert ndcg("query", "select 1").code == 0
    overhead = time.monotonic() - start
    limits = ["--time-limit", "1", "--memory-limit", "200MB"]
    start = time.monotonic()
    result = ndcg("query", ENDLESS[name], "--format", form, *limits)
    # The machine may be busier than it was for the first.
    assert time.monotonic() - start < 1 + 1 + 3 * overhead
    assert re.match(
        r"query: (stopped after 1 s|needs more memory than)", result.refusal
    )
    assert children() <= before
    assert list(loaded.parent.iterdir()) == [loaded]


def test_there_are_at_least_the_20_endless_statements_promised() -> None:
    assert len(ENDLESS) >= 20
