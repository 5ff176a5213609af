"""ClickHouse: nullable columns, signed integers, no order inside aggregates."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import call, cast, ends_of, mapped, sum_of, unordered

_SETTINGS = ("join_use_nulls = 1", "prefer_column_name_to_alias = 1")
_COUNTS = (exp.Count, exp.DenseRank, exp.Floor, exp.RowNumber)


def signed(node: exp.Expr) -> exp.Expr:
    """Make integers signed and nullable: differences of unsigned ones wrap around.

    lead() of a column that cannot be null gives 0 for null.
    """
    counted = node.this if isinstance(node, exp.Window) else node
    is_whole = not isinstance(node.parent, exp.Window) or node.arg_key != "this"
    return cast(node, "bigint") if isinstance(counted, _COUNTS) and is_whole else node


def aliased(node: exp.Expr) -> exp.Expr:
    """Name every projected column, or it may be called relation.column."""
    is_item = isinstance(node.parent, exp.Select) and node.arg_key == "expressions"
    if is_item and isinstance(node, exp.Column):
        return exp.alias_(node.copy(), node.name)
    return node


def common(node: exp.Expr) -> exp.Expr:
    """Make doubles where integers meet doubles: they have no common type."""
    items: list[exp.Expr] = []
    if isinstance(node, (exp.Least, exp.Greatest, exp.Coalesce)):
        items = [node.this, *node.expressions]
    elif isinstance(node, (exp.Case, exp.If)):
        branches = node.args.get("ifs") or [node]
        items = [branch.args["true"] for branch in branches]
        items += [i for i in (node.args.get("default"), node.args.get("false")) if i]
    # A null alone has no type there.
    if isinstance(node, exp.Alias) and node.alias in ("value", "standard_error"):
        node.this.replace(cast(node.this, "double"))
    elif any(item.is_type("double") for item in items):
        for item in items:
            item.replace(cast(item, "double"))
    return node


def arrayed(node: exp.Expr) -> exp.Expr:
    """Make arrays, and add their items, by functions of arrays."""
    if made := mapped(node):
        lists, names, item = made
        variables = [exp.to_identifier(name) for name in names]
        return call("arrayMap", exp.Lambda(this=item, expressions=variables), *lists)
    if (items := sum_of(node)) is not None:
        # arraySum takes no array whose items may be null.
        return call("arrayReduce", exp.Literal.string("sum"), items)
    if ends := ends_of(node):
        end = call("assumeNotNull", cast(ends[1], "bigint"))
        return call("arrayJoin", call("range", ends[0], end))
    if isinstance(node, exp.ArrayOverlaps):
        return call("hasAny", node.this, node.expression)
    if isinstance(node, exp.LogicalOr):
        return exp.Max(this=node.this)
    if isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order):
        items, [key] = node.this.this, node.this.expressions
        if items == key.this:
            name = "arrayReverseSort" if key.args.get("desc") else "arraySort"
            return call(name, call("groupArray", items))
    return node


CLICKHOUSE = Engine(
    "clickhouse",
    rules=(arrayed, unordered, signed, aliased, common),
    begin=tuple(f"set {setting};" for setting in _SETTINGS),
    schema="create database {schema};",
    table="create table {name} engine = MergeTree order by tuple() as\n{select};",
    fault="throwIf(count() > 0, {message})",
    remove="drop database {schema}",
    select_end=f"\nsettings {', '.join(_SETTINGS)}",
    ignores_case=False,
)
