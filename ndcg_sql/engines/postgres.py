"""PostgreSQL: bytes decide the order of ids, and functions raise on underflow."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import logarithm

# The logarithm of the smallest double that is not subnormal is about -708.4.
_LEAST = -700
# So that a product of two powers does not underflow, either.
_LEAST_POWER = -350


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
    inside = exp.and_(base.copy() > 0, size < _LEAST_POWER)
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
    begin=("begin;",),
    end=("commit;",),
    schema="create schema {schema};",
    table="create table {name} as\n{select};\nanalyze {name};",
    check="do $check$\ndeclare\n    bad record;\nbegin\nselect * into bad from (\n"
    "{select}\n) as bad_rows limit 1;\nif found then\n"
    "    raise exception using message = {message} || ': ' || cast(bad as text);\n"
    "end if;\nend\n$check$;",
    # The planner expects few rows of joins, and nested loops take hours.
    settings=("set local enable_nestloop = off;",),
    remove="drop schema {schema} cascade",
)
