"""Databricks: no order inside aggregates, and literals are decimals."""

from ndcg_sql.engines.engine import UNTRIED, Engine
from ndcg_sql.engines.rules import (
    UNTESTED,
    divided,
    floating,
    logarithm,
    sequential,
    unnamed,
    unordered,
)

ENGINE = Engine(
    dialect="databricks",
    rules=(sequential, unordered, logarithm, unnamed, floating, divided),
    begin=(),
    end=(),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    check="select case when count(*) > 0 then raise_error({message}) end as found\n"
    "from (\n{select}\n) as bad;",
    remove="drop schema {schema} cascade",
    greedy=UNTRIED,
    note=UNTESTED,
)
