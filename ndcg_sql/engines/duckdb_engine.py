"""DuckDB: the views as they are, but for macros."""

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import binary

ENGINE = Engine(
    dialect="duckdb",
    rules=(binary,),
    begin=("begin;",),
    end=("commit;",),
    check="select case when count(*) > 0 then error({message}) end as found\n"
    "from (\n    {select}\n) as bad;",
    repeats=False,
)
