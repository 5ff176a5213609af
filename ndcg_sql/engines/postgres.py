"""PostgreSQL: bytes decide the order of ids, and functions raise on underflow."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import call, cast, ends_of, logarithm, mapped, sum_of

# The logarithm of the smallest double that is not subnormal is about -708.4.
_LEAST = -700
# So that a product of two powers does not underflow, either.
_LEAST_POWER = -350


def collated(node: exp.Expr) -> exp.Expr:
    """Compare text by bytes, whatever the locale of the database is."""
    if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
        return exp.Collate(this=node.copy(), expression=exp.to_identifier("C", True))
    return node


def plain(node: exp.Expr) -> exp.Expr:
    """Write an inner join as a join, and leave nulls where PostgreSQL puts them.

    What is in descending order has none.
    """
    if isinstance(node, exp.Join) and node.kind == "INNER":
        node.set("kind", None)
    elif isinstance(node, exp.Ordered) and node.args.get("desc"):
        node.set("nulls_first", True)
    return node


def small(node: exp.Expr) -> exp.Expr:
    """Return 0 for what underflows, which PostgreSQL refuses; null stays null."""
    if isinstance(node, exp.Exp):
        inside = exp.paren(node.this.copy()) < _LEAST
        return exp.case().when(inside, "0.0").else_(node.copy())
    if isinstance(node, exp.Pow):
        base, exponent = cast(node.this, "double"), cast(node.expression, "double")
        size = exponent * exp.Ln(this=base.copy())
        inside = exp.and_(base.copy() > 0, size < _LEAST_POWER)
        power = exp.Pow(this=base.copy(), expression=exponent.copy())
        return exp.case().when(inside, "0.0").else_(power)
    return node


def rounded(node: exp.Expr) -> exp.Expr:
    """Round decimals: doubles are rounded to whole numbers alone."""
    if isinstance(node, exp.Round) and node.args.get("decimals"):
        node.set("this", exp.cast(node.this.copy(), "numeric", dialect="postgres"))
    return node


def unnested(node: exp.Expr) -> exp.Expr:
    """Make lists and series, add their items, and choose among them, as rows."""
    if made := mapped(node):
        lists, names, item = made
        return exp.Array(expressions=[exp.select(item).from_(_rows(lists, names))])
    if (items := sum_of(node)) is not None:
        return exp.select("sum(item)").from_(_rows([items], ["item"])).subquery()
    if ends := ends_of(node):
        last = exp.Sub(this=exp.paren(ends[1]), expression=exp.Literal.number(1))
        return call("generate_series", ends[0], last)
    if isinstance(node, exp.ArrayContains):
        items = exp.Any(this=exp.paren(node.this))
        return exp.EQ(this=node.expression.copy(), expression=items)
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


POSTGRES = Engine(
    "postgres",
    rules=(unnested, plain, collated, logarithm, small, rounded),
    # The planner expects few rows of joins, and nested loops take hours.
    begin=("begin;", "set local enable_nestloop = off;"),
    end=("commit;",),
    analyze="analyze {names};",
    check="    for bad in {select}\n"
    "    loop raise exception '%: %', {message}, bad; end loop;",
    checks="do $check$ declare bad record; begin\n{checks}\nend $check$;",
    repeats=False,
)
