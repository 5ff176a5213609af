"""Spark: no order inside aggregates, and literals are decimals."""

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import PORTABLE, binary, floating, unordered

ENGINE = Engine(
    dialect="spark",
    first=PORTABLE,
    rules=(binary, unordered, floating),
    table="create table {name} using parquet as\n{select};",
    check="select case when count(*) > 0 then raise_error({message}) end as found\n"
    "from (\n    {select}\n) as bad;",
    greedy="its recursive relations end at 100 levels and 1,000,000 rows",
)
