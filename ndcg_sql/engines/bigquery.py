"""BigQuery: windows are not parted by floats, and exact decimals are short."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine, cast
from ndcg_sql.engines.rules import (
    PORTABLE,
    UNTESTED,
    UNTRIED,
    collated,
    logarithm,
    null_ignored,
    unnamed,
    unordered,
)

# The columns that part windows and are doubles.
_FLOATS = frozenset({"rel"})


def parted(node: exp.Expr) -> exp.Expr:
    """Part windows by the text of a double: each double has one of its own."""
    is_part = isinstance(node.parent, exp.Window) and node.arg_key == "partition_by"
    if is_part and isinstance(node, exp.Column) and node.name in _FLOATS:
        return cast(node, "varchar")
    return node


def first_nulls(node: exp.Expr) -> exp.Expr:
    """Leave nulls where BigQuery puts them: what such windows are ordered by has none.

    It cannot place them in the window of an aggregate.
    """
    if isinstance(node, exp.Window) and isinstance(node.this, exp.AggFunc):
        for key in node.args["order"].expressions if node.args.get("order") else ():
            key.set("nulls_first", not key.args.get("desc"))
    return node


ENGINE = Engine(
    dialect="bigquery",
    first=PORTABLE,
    rules=(
        *(unordered, logarithm, unnamed, first_nulls, null_ignored, parted),
        collated(""),
    ),
    check="select if(count(*) > 0, error({message}), null) as found\n"
    "from (\n    {select}\n) as bad;",
    # It decides on the last bits of a sum in order.
    refused=frozenset({"BPM"}),
    greedy=UNTRIED,
    note=UNTESTED,
)
