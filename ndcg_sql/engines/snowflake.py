"""Snowflake: integers are divided to six digits, and literals are decimals."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine, cast
from ndcg_sql.engines.rules import (
    PORTABLE,
    UNTESTED,
    UNTRIED,
    collated,
    floating,
    logarithm,
    null_ignored,
    unnamed,
    unordered,
)


def divided(node: exp.Expr) -> exp.Expr:
    """Divide doubles: integers would be divided to few digits."""
    if isinstance(node, exp.Div) and not node.args.get("typed"):
        left = node.this
        left = left.copy() if left.is_type("double") else cast(left, "double")
        return exp.Div(this=left, expression=node.expression.copy(), typed=True)
    return node


ENGINE = Engine(
    dialect="snowflake",
    first=PORTABLE,
    rules=(
        *(unordered, logarithm, unnamed, null_ignored, floating, divided),
        collated("utf8"),
    ),
    # The text of a message is no number: the cast fails if there is a row.
    check="select cast({message} || ': ' || nullif(count(*), 0) as integer) as found\n"
    "from (\n    {select}\n) as bad;",
    # It decides on the last bits of a sum in order.
    refused=frozenset({"BPM"}),
    greedy=UNTRIED,
    note=UNTESTED,
)
