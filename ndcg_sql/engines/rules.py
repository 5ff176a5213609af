"""Rules that rewrite trees; those here are of several engines."""

from collections.abc import Callable, Sequence

from sqlglot import exp

# Returns the node itself, changed, or another one in its place.
Rule = Callable[[exp.Expr], exp.Expr]


def rewritten(tree: exp.Expr, rules: Sequence[Rule]) -> exp.Expr:
    """Apply rules to a tree, from its leaves to its root."""
    for node in reversed(list(tree.walk())):
        for rule in rules:
            new = rule(node)
            if new is not node:
                node.replace(new)
                node = new
    return tree


def cast(node: exp.Expr, kind: str) -> exp.Expr:
    """Return a node, copied, cast to a type of DuckDB."""
    return exp.cast(node.copy(), kind, dialect="duckdb")


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """Return a call of a function that sqlglot does not know."""
    return exp.Anonymous(this=name, expressions=[*arguments])


def running(node: exp.Expr) -> exp.Expr:
    """Add over a window: other engines than DuckDB add in the order of its rows."""
    inside = sum_of(node)
    if isinstance(inside, exp.Window) and isinstance(inside.this, exp.ArrayAgg):
        inside.this.replace(exp.Sum(this=inside.this.this))
        return inside
    return node


def inexact(node: exp.Expr) -> exp.Expr:
    """Add doubles, not decimals, which make sums the same in any order."""
    is_decimal = isinstance(node, exp.Cast) and node.is_type("decimal")
    return node.this if is_decimal else node


def filtered(node: exp.Expr) -> exp.Expr:
    """Write the filter of an aggregate as a case inside it."""
    if isinstance(node, exp.Filter):
        value, condition = node.this.this, node.expression.this
        item = exp.Literal.number(1) if isinstance(value, exp.Star) else value
        kept = exp.case().when(condition.copy(), item.copy())
        return type(node.this)(this=kept, big_int=node.this.args.get("big_int"))
    return node


def sized(node: exp.Expr) -> exp.Expr:
    """Take the length of a list: of texts, none is taken."""
    return exp.ArraySize(this=node.this) if isinstance(node, exp.Length) else node


PORTABLE = (running, inexact, filtered, sized)


def ends_of(node: exp.Expr) -> tuple[exp.Expr, exp.Expr] | None:
    """Return the first of a series of numbers, and the one after its last."""
    series = node.this if isinstance(node, (exp.Explode, exp.Unnest)) else None
    if isinstance(series, exp.GenerateSeries):
        return series.args["start"], series.args["end"]
    return None


def mapped(node: exp.Expr) -> tuple[list[exp.Expr], list[str], exp.Expr] | None:
    """Return the lists that a list is made of, the names of items, and the new item.

    None if a node makes no such list. DuckDB calls the items of two lists pair[1] and
    pair[2].
    """
    if not isinstance(node, exp.Transform):
        return None
    made, [name, *_] = node.expression.copy(), node.expression.expressions
    if node.this.name != "list_zip":
        return [node.this], [name.name], made.this
    lists = node.this.expressions
    names = [f"{name.name}_{place}" for place in range(1, len(lists) + 1)]
    for item in list(made.find_all(exp.Bracket)):
        if item.this.name == name.name:
            # The tree counts from 0.
            item.replace(exp.to_identifier(names[int(item.expressions[0].name)]))
    return lists, names, made.this


def sum_of(node: exp.Expr) -> exp.Expr | None:
    """Return the list whose items a node adds, or None."""
    is_sum = isinstance(node, exp.Anonymous) and node.name == "list_sum"
    return node.expressions[0] if is_sum else None


def unordered(node: exp.Expr) -> exp.Expr:
    """Drop the order inside an aggregate, which the engine does not have."""
    if isinstance(node, exp.AggFunc) and isinstance(node.this, exp.Order):
        node.set("this", node.this.this.copy())
    return node


def binary(node: exp.Expr) -> exp.Expr:
    """Keep log2: log(2, x) has other last digits."""
    return call("log2", node.expression) if _is_binary(node) else node


def logarithm(node: exp.Expr) -> exp.Expr:
    """Take log2 by natural logarithms: engines lack it, or swap its arguments."""
    if _is_binary(node):
        top, bottom = exp.Ln(this=node.expression.copy()), exp.Ln(this=node.this.copy())
        return exp.paren(exp.Div(this=top, expression=bottom, typed=True))
    return node


def _is_binary(node: exp.Expr) -> bool:
    """Return whether a node is a logarithm to base 2."""
    return isinstance(node, exp.Log) and bool(node.expression) and node.this.name == "2"


def unnamed(node: exp.Expr) -> exp.Expr:
    """Write a named window where it is used; the clause of windows goes."""
    if isinstance(node, exp.Window) and isinstance(node.args.get("alias"), exp.Expr):
        select = node.parent_select
        for window in (select and select.args.get("windows")) or ():
            if window.name == node.args["alias"].name:
                full = window.copy()
                full.set("this", node.this.copy())
                return exp.Window(**{**full.args, "alias": None, "over": "OVER"})
    if isinstance(node, exp.Select):
        node.set("windows", None)
    return node


def null_ignored(node: exp.Expr) -> exp.Expr:
    """Leave null out of least and greatest, which otherwise return it."""
    if isinstance(node, (exp.Least, exp.Greatest)):
        one, other = node.this, node.expressions[0]
        first = exp.Coalesce(this=one.copy(), expressions=[other.copy()])
        second = exp.Coalesce(this=other.copy(), expressions=[one.copy()])
        return type(node)(this=first, expressions=[second])
    return node


def floating(node: exp.Expr) -> exp.Expr:
    """Make doubles of literals with a point, which would be decimals."""
    is_number = isinstance(node, exp.Literal) and not node.is_string
    if is_number and not node.this.isdigit() and not isinstance(node.parent, exp.Cast):
        return cast(node, "double")
    return node


def collated(collation: str) -> Rule:
    """Return the rule that compares text by bytes, whatever its column's collation."""

    def rule(node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Cast) and node.is_type("text", "varchar"):
            return call("collate", node.copy(), exp.Literal.string(collation))
        return node

    return rule
