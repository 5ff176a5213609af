"""Trino: literals are decimals, and least returns null for null."""

from ndcg_sql.engines.engine import UNTRIED, Engine
from ndcg_sql.engines.rules import (
    UNTESTED,
    divided,
    floating,
    logarithm,
    null_ignored,
    unnamed,
)

ENGINE = Engine(
    dialect="trino",
    rules=(logarithm, unnamed, null_ignored, floating, divided),
    begin=(),
    end=(),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    # The text of a message is no number: the cast fails if there is a row.
    check="select cast({message} || ': ' || cast(nullif(count(*), 0) as varchar)"
    " as integer) as found\nfrom (\n{select}\n) as bad;",
    remove="drop schema {schema} cascade",
    greedy=UNTRIED,
    note=UNTESTED,
)
