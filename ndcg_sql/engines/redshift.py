"""Redshift: no order inside aggregates, no names of windows, no null-safe equality."""

from sqlglot import exp

from ndcg_sql.engines.engine import UNTRIED, Engine
from ndcg_sql.engines.postgres import exponential, power
from ndcg_sql.engines.rules import (
    UNTESTED,
    divided,
    floating,
    logarithm,
    unnamed,
    unordered,
)


def null_safe(node: exp.Expr) -> exp.Expr:
    """Compare with null in plain SQL."""
    if isinstance(node, exp.NullSafeEQ):
        one, other = node.this, node.expression
        both = exp.and_(one.copy().is_(exp.Null()), other.copy().is_(exp.Null()))
        return exp.paren(
            exp.or_(exp.EQ(this=one.copy(), expression=other.copy()), both)
        )
    return node


def collated(node: exp.Expr) -> exp.Expr:
    """Compare text by bytes, also in a database that ignores case."""
    if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
        return exp.Anonymous(
            this="collate",
            expressions=[node.copy(), exp.Literal.string("case_sensitive")],
        )
    return node


ENGINE = Engine(
    dialect="redshift",
    rules=(
        *(unordered, logarithm, unnamed, floating, divided, power, exponential),
        *(null_safe, collated),
    ),
    begin=("begin;",),
    end=("commit;",),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    # The text of a message is no number: the cast fails if there is a row.
    check="select cast({message} || ': ' || cast(nullif(count(*), 0) as varchar)"
    " as integer) as found\nfrom (\n{select}\n) as bad;",
    remove="drop schema {schema} cascade",
    # It decides on the last bits of a sum in order.
    refused=frozenset({"BPM"}),
    greedy=UNTRIED,
    note=UNTESTED,
)
