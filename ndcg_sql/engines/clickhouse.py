"""ClickHouse: nullable columns, signed integers, no order inside aggregates."""

from sqlglot import exp

from ndcg_sql.engines.engine import Engine, cast
from ndcg_sql.engines.rules import (
    PORTABLE,
    ends_of,
    mapped,
    sorted_list,
    sum_of,
    unordered,
)

_SETTINGS = ("join_use_nulls = 1", "prefer_column_name_to_alias = 1")


def signed(node: exp.Expr) -> exp.Expr:
    """Make integers signed and nullable: differences of unsigned ones wrap around.

    lead() of a column that cannot be null gives 0 for null.
    """
    counting = (exp.Count, exp.DenseRank, exp.Floor, exp.RowNumber)
    counted = node.this if isinstance(node, exp.Window) else node
    is_whole = not isinstance(node.parent, exp.Window) or node.arg_key != "this"
    return cast(node, "bigint") if isinstance(counted, counting) and is_whole else node


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
    if any(item.is_type("double") for item in items):
        for item in items:
            item.replace(cast(item, "double"))
    if isinstance(node, exp.LogicalOr):
        return exp.Max(this=node.this)
    # A null alone has no type there.
    if isinstance(node, exp.Alias) and node.alias in ("value", "standard_error"):
        node.this.replace(cast(node.this, "double"))
    return node


def arrayed(node: exp.Expr) -> exp.Expr:
    """Make arrays, and add their items, by functions of arrays."""
    if made := mapped(node):
        lists, names, item = made
        making = exp.Lambda(
            this=item, expressions=[exp.to_identifier(n) for n in names]
        )
        return exp.Anonymous(this="arrayMap", expressions=[making, *lists])
    if (items := sum_of(node)) is not None:
        # arraySum takes no array whose items may be null.
        adding = exp.Literal.string("sum")
        return exp.Anonymous(this="arrayReduce", expressions=[adding, items])
    if isinstance(node, exp.ArrayOverlaps):
        return exp.Anonymous(this="hasAny", expressions=[node.this, node.expression])
    if (items := sorted_list(node)) is not None:
        is_down = node.this.expressions[0].args.get("desc")
        name = "arrayReverseSort" if is_down else "arraySort"
        gathered = exp.Anonymous(this="groupArray", expressions=[items])
        return exp.Anonymous(this=name, expressions=[gathered])
    return node


def series(node: exp.Expr) -> exp.Expr:
    """Make rows of a series of numbers."""
    if ends := ends_of(node):
        whole = exp.Anonymous(
            this="assumeNotNull", expressions=[cast(ends[1], "bigint")]
        )
        items = exp.Anonymous(this="range", expressions=[ends[0], whole])
        return exp.Anonymous(this="arrayJoin", expressions=[items])
    return node


ENGINE = Engine(
    dialect="clickhouse",
    first=PORTABLE,
    rules=(series, arrayed, unordered, signed, aliased, common),
    begin=tuple(f"set {setting};" for setting in _SETTINGS),
    ignores_case=False,
    select_end=f"\nsettings {', '.join(_SETTINGS)}",
    end=(),
    schema="create database {schema};",
    table="create table {name} engine = MergeTree order by tuple() as\n{select};",
    check="select throwIf(count() > 0, {message}) as found\n"
    "from (\n    {select}\n) as bad;",
    remove="drop database {schema}",
    # Integers and doubles have no common type there; branches of a case that are
    # not taken are computed all the same, and no decimal is infinite.
    refused=frozenset(),
)
