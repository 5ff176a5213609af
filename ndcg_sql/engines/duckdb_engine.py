"""DuckDB: the views as they are."""

from ndcg_sql.engines.engine import Engine

ENGINE = Engine(
    dialect="duckdb",
    rules=(),
    begin=("begin;",),
    end=("commit;",),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    check="select case when count(*) > 0 then error({message}) end as found\n"
    "from (\n    {select}\n) as bad;",
    repeats=False,
    remove="drop schema {schema} cascade",
)
