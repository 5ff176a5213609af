"""PostgreSQL: bytes decide the order of ids, and functions raise on underflow."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import logarithm

# The logarithm of the smallest double that is not subnormal is about -708.4.
_LEAST = -700


def collated(node: exp.Expr) -> exp.Expr:
    """Compare text by bytes, whatever the locale of the database is."""
    if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
        return exp.Collate(this=node.copy(), expression=exp.to_identifier("C", True))
    return node


def power(node: exp.Expr) -> exp.Expr:
    """Return 0 for a power that underflows, which PostgreSQL refuses."""
    if not isinstance(node, exp.Pow):
        return node
    base, exponent = node.this.copy(), node.expression.copy()
    base, exponent = exp.cast(base, "double"), exp.cast(exponent, "double")
    size = exponent * exp.Ln(this=base.copy())
    inside = exp.and_(base.copy() > 0, size < _LEAST)
    plain = exp.Pow(this=base.copy(), expression=exponent.copy())
    return exp.case().when(inside, "0.0").else_(plain)


def exponential(node: exp.Expr) -> exp.Expr:
    """Return 0 for an exponential that underflows; null stays null."""
    if isinstance(node, exp.Exp):
        inside = exp.paren(node.this.copy()) < _LEAST
        return exp.case().when(inside, "0.0").else_(node.copy())
    return node


ENGINE = Engine(
    dialect="postgres",
    rules=(collated, logarithm, power, exponential),
    # The planner expects few rows of joins, and nested loops take hours.
    begin=("begin;", "set local enable_nestloop = off;"),
    end=("commit;",),
    schema="create schema {schema};",
    table="create table {name} as\n{select};\n\nanalyze {name};",
    check="do $check$\nbegin\nif exists (\n{select}\n) then\n"
    "    raise exception using message = {message};\nend if;\nend\n$check$;",
    remove="drop schema {schema} cascade",
)
