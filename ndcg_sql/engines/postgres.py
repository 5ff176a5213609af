"""PostgreSQL: bytes decide the order of ids, and functions raise on underflow."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import (
    PORTABLE,
    ends_of,
    logarithm,
    mapped,
    plain_join,
    sum_of,
)

# The logarithm of the smallest double that is not subnormal is about -708.4.
_LEAST = -700
# So that a product of two powers does not underflow, either.
_LEAST_POWER = -350


def collated(node: exp.Expr) -> exp.Expr:
    """Compare text by bytes, whatever the locale of the database is."""
    if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
        return exp.Collate(this=node.copy(), expression=exp.to_identifier("C", True))
    return node


def nulls(node: exp.Expr) -> exp.Expr:
    """Leave nulls where PostgreSQL puts them: what is in descending order has none."""
    if isinstance(node, exp.Ordered) and node.args.get("desc"):
        node.set("nulls_first", True)
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


def rounded(node: exp.Expr) -> exp.Expr:
    """Round decimals: doubles are rounded to whole numbers alone."""
    if isinstance(node, exp.Round) and node.args.get("decimals"):
        node.set("this", exp.cast(node.this.copy(), "numeric", dialect="postgres"))
    return node


def unnested(node: exp.Expr) -> exp.Expr:
    """Make lists, and add their items, as rows."""
    if made := mapped(node):
        lists, names, item = made
        select = exp.select(item).from_(_rows(lists, names))
        return exp.Array(expressions=[select])
    if (items := sum_of(node)) is not None:
        return exp.select("sum(item)").from_(_rows([items], ["item"])).subquery()
    if isinstance(node, exp.ArrayContains):
        items = exp.Any(this=exp.paren(node.this))
        return exp.EQ(this=node.expression.copy(), expression=items)
    return node


def series(node: exp.Expr) -> exp.Expr:
    """Make rows of a series of numbers."""
    if ends := ends_of(node):
        last = exp.Sub(this=exp.paren(ends[1]), expression=exp.Literal.number(1))
        return exp.Anonymous(this="generate_series", expressions=[ends[0], last])
    return node


def latest(node: exp.Expr) -> exp.Expr:
    """Take the value of the row with the largest key from a list in its order."""
    if isinstance(node, exp.ArgMax):
        key = exp.Ordered(this=node.expression, desc=True, nulls_first=True)
        values = exp.ArrayAgg(this=exp.Order(this=node.this, expressions=[key]))
        return exp.Bracket(this=exp.paren(values), expressions=[exp.Literal.number(0)])
    return node


def _rows(lists: list[exp.Expr], names: list[str]) -> exp.Expr:
    """Return the items of lists as rows with columns."""
    columns = [exp.to_identifier(name) for name in names]
    alias = exp.TableAlias(this=exp.to_identifier("items"), columns=columns)
    return exp.Unnest(expressions=[one.copy() for one in lists], alias=alias)


ENGINE = Engine(
    dialect="postgres",
    first=PORTABLE,
    rules=(
        plain_join,
        series,
        latest,
        nulls,
        collated,
        logarithm,
        power,
        exponential,
        rounded,
        unnested,
    ),
    # The planner expects few rows of joins, and nested loops take hours.
    begin=("begin;", "set local enable_nestloop = off;"),
    end=("commit;",),
    schema="create schema {schema};",
    table="create table {name} as\n{select};",
    analyze="analyze {names};",
    check="    for bad in {select}\n"
    "    loop raise exception '%: %', {message}, bad; end loop;",
    checks="do $check$ declare bad record; begin\n{checks}\nend $check$;",
    repeats=False,
    remove="drop schema {schema} cascade",
)
