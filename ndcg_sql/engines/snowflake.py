"""Snowflake: integers are divided to six digits, and literals are decimals."""

from sqlglot import exp

from ndcg_sql.engines.engine import UNTRIED, Engine
from ndcg_sql.engines.rules import (
    PORTABLE,
    UNTESTED,
    divided,
    floating,
    logarithm,
    null_ignored,
    unnamed,
    unordered,
)


def collated(node: exp.Expr) -> exp.Expr:
    """Compare text by bytes, whatever the collation of the user's column is."""
    if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
        return exp.Anonymous(
            this="collate", expressions=[node.copy(), exp.Literal.string("utf8")]
        )
    return node


ENGINE = Engine(
    dialect="snowflake",
    first=PORTABLE,
    rules=(unordered, logarithm, unnamed, null_ignored, floating, divided, collated),
    begin=(),
    end=(),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    # The text of a message is no number: the cast fails if there is a row.
    check="select cast({message} || ': ' || nullif(count(*), 0) as integer) as found\n"
    "from (\n    {select}\n) as bad;",
    remove="drop schema {schema} cascade",
    # It decides on the last bits of a sum in order.
    refused=frozenset({"BPM"}),
    greedy=UNTRIED,
    note=UNTESTED,
)
