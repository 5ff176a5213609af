"""Conditions between literals are decided, and what they decide is done.

No arithmetic is done here: an engine must compute as a warehouse does. That is why
sqlglot's simplify is not used.
"""

from sqlglot import exp
from sqlglot.optimizer.simplify import eval_boolean

_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean)
_COMPLEMENTS: dict[type[exp.Expr], type[exp.Binary]] = {
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
}


def bare(node: exp.Expr) -> exp.Expr:
    """Return a node without the casts around it."""
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    return node


def is_constant(node: exp.Expr) -> bool:
    """Return whether a node is a literal, perhaps cast."""
    return isinstance(bare(node), _CONSTANTS)


def is_null(node: exp.Expr) -> bool:
    """Return whether a node is null, perhaps cast."""
    return isinstance(bare(node), exp.Null)


def conjuncts(*conditions: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of conditions that must all hold."""
    parts: list[exp.Expr] = []
    for condition in filter(None, conditions):
        parts += condition.flatten() if isinstance(condition, exp.And) else [condition]
    return parts


def always(node: exp.Expr | None) -> bool:
    """Return whether a condition always holds."""
    return node is not None and bare(node) == exp.true()


def never(node: exp.Expr | None) -> bool:
    """Return whether a condition never holds."""
    return any(is_null(part) or bare(part) == exp.false() for part in conjuncts(node))


def decided(node: exp.Expr) -> exp.Expr:
    """Return an expression, copied, with what is decided in it done."""
    root = exp.Paren(this=node.copy())
    for part in reversed(list(root.walk())):
        if part is not root and (new := _decided(part)) is not part:
            part.replace(new)
    for part in list(root.find_all(exp.Predicate, exp.Case, exp.If)):
        for child in list(part.iter_expressions()):
            if isinstance(child, exp.Cast) and _is_plain(bare(child)):
                child.replace(bare(child).copy())
    return root.this


def _is_plain(value: exp.Expr) -> bool:
    """Return whether a literal is the same without its cast."""
    if isinstance(value, exp.Literal) and not value.is_string:
        return float(value.name).is_integer()
    return isinstance(value, _CONSTANTS)


def _decided(node: exp.Expr) -> exp.Expr:
    """Return what a node is if its parts decide it, or the node."""
    if type(node) in _COMPLEMENTS:
        return _compared(node)
    if isinstance(node, exp.Connector):
        return _connected(node)
    if isinstance(node, exp.Not):
        value = bare(node.this)
        if complement := _COMPLEMENTS.get(type(value)):
            return complement(this=value.this, expression=value.expression)
        if isinstance(value, exp.Boolean):
            return exp.convert(not value.this)
        return exp.Null() if is_null(value) else node
    if isinstance(node, exp.Is) and is_null(node.expression) and is_constant(node.this):
        return exp.convert(is_null(node.this))
    if isinstance(node, exp.In) and node.expressions and is_constant(node.this):
        return exp.convert(bare(node.this) in node.expressions)
    if isinstance(node, exp.Coalesce):
        items = [item for item in [node.this, *node.expressions] if not is_null(item)]
        if not items or is_constant(items[0]) or len(items) == 1:
            return items[0].copy() if items else exp.Null()
    if isinstance(node, exp.Case):
        return _case(node)
    if isinstance(node, exp.Paren) and isinstance(node.this, _CONSTANTS):
        return node.this.copy()
    return node


def _compared(node: exp.Expr) -> exp.Expr:
    """Decide a comparison of literals."""
    left, right = bare(node.this), bare(node.expression)
    if not (is_constant(left) and is_constant(right)):
        return node
    if is_null(left) or is_null(right):
        return exp.Null()
    # sqlglot reads numbers as decimals, or as text if they are text.
    return eval_boolean(node, left.to_py(), right.to_py()) or node


def _connected(node: exp.Expr) -> exp.Expr:
    """Leave out of an and or an or what does not decide it."""
    is_and = isinstance(node, exp.And)
    parts = list(node.flatten())
    if any(bare(part) == exp.convert(not is_and) for part in parts):
        return exp.convert(not is_and)
    kept = [p for p in dict.fromkeys(parts) if bare(p) != exp.convert(is_and)]
    if len(kept) == len(parts):
        return node
    join = exp.and_ if is_and else exp.or_
    return join(*kept) if kept[1:] else kept[0].copy() if kept else exp.convert(is_and)


def _case(node: exp.Case) -> exp.Expr:
    """Leave out the branches of a case that are never taken."""
    subject, default = node.this, node.args.get("default")
    branches: list[exp.Expr] = []
    for branch in node.args["ifs"]:
        condition = branch.this
        if subject:
            condition = _compared(exp.EQ(this=subject.copy(), expression=condition))
        if always(condition):
            default = branch.args["true"]
            break
        if not never(condition):
            # It holds where the branch is taken.
            for part in list(branch.args["true"].find_all(type(condition))):
                if part == condition and part.parent is not branch:
                    part.replace(exp.true())
            branches.append(branch)
    if not branches:
        return default.copy() if default else exp.Null()
    return exp.Case(this=subject, ifs=branches, default=default).copy()
