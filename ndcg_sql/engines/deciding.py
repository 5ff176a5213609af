"""Conditions between literals are decided, and what they decide is done.

No arithmetic is done here: an engine must compute as a warehouse does.
"""

import operator
from collections.abc import Callable
from typing import Any

from sqlglot import exp

CONSTANTS = (exp.Literal, exp.Null, exp.Boolean)
_COMPARED: dict[type[exp.Expr], Callable[[Any, Any], Any]] = {
    exp.EQ: operator.eq,
    exp.NEQ: operator.ne,
    exp.LT: operator.lt,
    exp.LTE: operator.le,
    exp.GT: operator.gt,
    exp.GTE: operator.ge,
}


def bare(node: exp.Expr) -> exp.Expr:
    """Return a node without the casts around it."""
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    return node


def is_constant(node: exp.Expr) -> bool:
    """Return whether a node is a literal, perhaps cast."""
    return isinstance(bare(node), CONSTANTS)


def is_null(node: exp.Expr) -> bool:
    """Return whether a node is null, perhaps cast."""
    return isinstance(bare(node), exp.Null)


def is_true(node: exp.Expr) -> bool:
    """Return whether a condition always holds."""
    return isinstance(bare(node), exp.Boolean) and bare(node).this is True


def never(node: exp.Expr | None) -> bool:
    """Return whether a condition never holds."""
    return node is not None and (is_null(node) or _is_false(node))


def _is_false(node: exp.Expr) -> bool:
    return isinstance(bare(node), exp.Boolean) and bare(node).this is False


def decided(node: exp.Expr) -> exp.Expr:
    """Return an expression with what is decided in it done."""
    root = exp.Paren(this=node.copy())
    for found in reversed(list(root.walk())):
        if found is not root:
            new = _decided(found)
            if new is not found:
                found.replace(new)
    for found in list(root.find_all(exp.Predicate, exp.Case, exp.If)):
        for child in list(found.iter_expressions()):
            if isinstance(child, exp.Cast) and _is_plain(child):
                child.replace(bare(child).copy())
    return root.this


def _is_plain(node: exp.Expr) -> bool:
    """Return whether a literal is the same without its cast."""
    value = bare(node)
    if not isinstance(value, exp.Literal):
        return isinstance(value, CONSTANTS)
    return value.is_string or float(value.name).is_integer()


def _decided(node: exp.Expr) -> exp.Expr:
    """Return what a node is if its parts decide it, or the node."""
    if type(node) in _COMPARED:
        return _compared(node)
    if isinstance(node, exp.Connector):
        return _connected(node)
    if isinstance(node, exp.Not):
        value = bare(node.this)
        if isinstance(value, exp.Boolean):
            return exp.Boolean(this=not value.this)
        return exp.Null() if is_null(value) else node
    if isinstance(node, exp.Is) and is_null(node.expression):
        return exp.Boolean(this=is_null(node.this)) if is_constant(node.this) else node
    if isinstance(node, exp.In) and node.expressions and is_constant(node.this):
        value = bare(node.this)
        if is_null(value):
            return exp.Null()
        if all(isinstance(item, exp.Literal) for item in node.expressions):
            return exp.Boolean(this=value in node.expressions)
    if isinstance(node, exp.Coalesce):
        return _coalesced(node)
    if isinstance(node, exp.Case):
        return _case(node)
    if isinstance(node, exp.Paren) and isinstance(node.this, CONSTANTS):
        return node.this.copy()
    return node


def _compared(node: exp.Expr) -> exp.Expr:
    """Decide a comparison of literals."""
    left, right = bare(node.this), bare(node.expression)
    if not (is_constant(left) and is_constant(right)):
        return node
    if is_null(left) or is_null(right):
        return exp.Null()
    values = [
        v.this if isinstance(v, exp.Boolean) or v.is_string else float(v.name)
        for v in (left, right)
    ]
    return exp.Boolean(this=_COMPARED[type(node)](*values))


def _connected(node: exp.Expr) -> exp.Expr:
    """Leave out of an and or an or what does not decide it."""
    is_and = isinstance(node, exp.And)
    parts = list(dict.fromkeys(node.flatten()))
    decisive, idle = (_is_false, is_true) if is_and else (is_true, _is_false)
    if any(decisive(part) for part in parts):
        return exp.Boolean(this=not is_and)
    kept = [part for part in parts if not idle(part)]
    if len(kept) == len(list(node.flatten())):
        return node
    if not kept:
        return exp.Boolean(this=is_and)
    join = exp.and_ if is_and else exp.or_
    return join(*(part.copy() for part in kept)) if kept[1:] else kept[0].copy()


def _coalesced(node: exp.Expr) -> exp.Expr:
    """Return the first part that is not null, if that is known."""
    items = [item for item in [node.this, *node.expressions] if not is_null(item)]
    if not items:
        return exp.Null()
    if is_constant(items[0]) or len(items) == 1:
        return items[0].copy()
    return node


def _case(node: exp.Expr) -> exp.Expr:
    """Leave out the branches of a case that are never taken."""
    subject = node.args.get("this")
    branches: list[exp.Expr] = []
    default = node.args.get("default")
    for branch in node.args["ifs"]:
        condition = branch.this
        if subject is not None:
            condition = _compared(exp.EQ(this=subject.copy(), expression=condition))
        if never(condition):
            continue
        if is_true(condition):
            default = branch.args["true"]
            break
        branches.append(branch.copy())
    if not branches:
        return default.copy() if default else exp.Null()
    return exp.Case(
        this=subject and subject.copy(),
        ifs=branches,
        default=default and default.copy(),
    )
