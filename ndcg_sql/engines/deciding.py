"""Conditions between literals are decided, and what they decide is done."""

from functools import partial
from typing import Any

from sqlglot import exp
from sqlglot.helper import while_changing
from sqlglot.optimizer.simplify import Simplifier, eval_boolean, simplify_parens

from ndcg_sql.engines.rules import Rule, rewritten

_NEVER = (exp.null(), exp.false())
# Below it is every position.
ENDLESS = 1_000_000_000
# Where no type is needed.
_CONDITIONS = (
    *(exp.Least, exp.Greatest, exp.Predicate, exp.Connector),
    *(exp.Case, exp.If, exp.Where, exp.Join),
)
_COMPARISONS = (exp.In, exp.NullSafeEQ, exp.NullSafeNEQ, *Simplifier.COMPARISONS)


def bare(node: exp.Expr) -> exp.Expr:
    """Return a node without the casts around it."""
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    return node


def is_constant(node: exp.Expr) -> bool:
    """Return whether a node is a literal, perhaps cast."""
    return isinstance(bare(node), exp.CONSTANTS)


def never(condition: exp.Expr | None) -> bool:
    """Return whether a condition, which was decided, never holds."""
    parts = condition.flatten() if isinstance(condition, exp.And) else [condition]
    return any(part in _NEVER for part in parts)


def decided(select: exp.Expr) -> exp.Expr:
    """Do what literals decide in a select, and return it."""
    return while_changing(select, lambda select: rewritten(select, _RULES))


def _uncast(node: exp.Expr) -> exp.Expr:
    """Leave out the cast of a literal in a condition, unless it is a fraction."""
    value, is_part = bare(node), isinstance(node.parent, _CONDITIONS)
    is_fraction = value.is_number and not float(value.name).is_integer()
    return value if is_part and is_constant(node) and not is_fraction else node


def _compared(node: exp.Expr) -> exp.Expr:
    """Decide a comparison of literals; with null, it is null, but for "distinct"."""
    items = [bare(item) for item in node.iter_expressions()]
    is_compared = isinstance(node, _COMPARISONS)
    if not is_compared or not all(isinstance(item, exp.CONSTANTS) for item in items):
        return node
    if isinstance(node, (exp.In, exp.Is)):
        return exp.convert(items[0] in items[1:])
    if isinstance(node, (exp.NullSafeEQ, exp.NullSafeNEQ)):
        return exp.convert((items[0] == items[1]) == isinstance(node, exp.NullSafeEQ))
    if exp.null() in items:
        return exp.null()
    return eval_boolean(node, *(item.to_py() for item in items)) or node


def _connected(node: exp.Expr) -> exp.Expr:
    """Leave out of an and or an or what decides nothing, and what stands twice."""
    if not isinstance(node, (exp.And, exp.Or)):
        return node
    join, idle = (exp.and_, True) if isinstance(node, exp.And) else (exp.or_, False)
    parts = dict.fromkeys(node.flatten())
    if exp.convert(not idle) in parts:
        return exp.convert(not idle)
    parts.pop(exp.convert(idle), None)
    return join(*parts) if parts else exp.convert(idle)


def _chosen(node: exp.Expr) -> exp.Expr:
    """Leave null out of a choice, and of coalesce what comes after what is never null.

    Among numbers that are all known, the least or greatest is chosen.
    """
    if not isinstance(node, (exp.Coalesce, exp.Least, exp.Greatest)):
        return node
    items = [i for i in (node.this, *node.expressions) if bare(i) != exp.null()]
    if not isinstance(node, exp.Coalesce):
        if items and all(bare(item).is_number for item in items):
            choose = max if isinstance(node, exp.Greatest) else min
            return choose(items, key=lambda item: float(bare(item).name))
        return node
    parts: list[exp.Expr] = []
    for item in items:
        inner = bare(item)
        is_nested = isinstance(inner, exp.Coalesce)
        parts += [inner.this, *inner.expressions] if is_nested else [item]
        if is_constant(parts[-1]):
            break
    if len(parts) < 2:
        return parts[0] if parts else exp.null()
    return exp.Coalesce(this=parts[0].copy(), expressions=[p.copy() for p in parts[1:]])


def _same(node: exp.Expr) -> exp.Expr:
    """Leave out the conditions of a case whose branches are all the same."""
    if isinstance(node, exp.If) and not isinstance(node.parent, exp.Case):
        values: list[Any] = [node.args["true"], node.args.get("false")]
    elif isinstance(node, exp.Case):
        values = [*(i.args["true"] for i in node.args["ifs"]), node.args.get("default")]
    else:
        return node
    return values[0] if all(value == values[0] for value in values) else node


def _endless(node: exp.Expr) -> exp.Expr:
    """Leave out a limit that no position reaches, and a division by log2(2)."""
    if isinstance(node, exp.LTE) and isinstance(node.this, exp.Column):
        limit = bare(node.expression)
        return exp.true() if limit.is_number and float(limit.name) == ENDLESS else node
    if isinstance(node, exp.Div) and isinstance(node.expression, exp.Log):
        two = exp.Literal.number(2)
        return node.this if bare(node.expression.expression) == two else node
    return node


_STOCK: Any = Simplifier(annotate_new_expressions=False)
_RULES: tuple[Rule, ...] = (
    *(_uncast, _compared, _connected, _chosen, _same, _endless),
    *(_STOCK.simplify_not, _STOCK.simplify_conditionals),
    partial(simplify_parens, dialect="duckdb"),
)
