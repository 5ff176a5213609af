"""Conditions between literals are decided, and what they decide is done."""

from typing import Any

from sqlglot import exp
from sqlglot.optimizer.simplify import (
    SIMPLIFIABLE,
    Simplifier,
    always_true,
    eval_boolean,
    is_false,
    is_null,
)

_CONSTANTS = (exp.Literal, exp.Null, exp.Boolean)


class _Decider(Simplifier):
    """sqlglot's rules for conditions, but for those that compute, merge or sort.

    An engine must compute as a warehouse does, in the order that is written.
    """

    SAFE_CONNECTOR_ELIMINATION_RESULT = (exp.Expr,)

    def _kept(self, expression: Any, *_: Any, **__: Any) -> Any:
        return expression

    simplify_equality = sort_comparison = absorb_and_eliminate = _kept

    def _simplify_comparison(self, *_: Any, **__: Any) -> None:
        """Merge no comparisons: x >= 0 and x > 0.0 would become x >= 0."""

    def uniq_sort(self, expression: Any, *_: Any, **__: Any) -> Any:
        """Leave out what stands twice in an and or an or."""
        if isinstance(expression, exp.Connector):
            parts = list(expression.flatten())
            join = exp.and_ if isinstance(expression, exp.And) else exp.or_
            if len(parts) > len(kept := list(dict.fromkeys(parts))):
                return join(*kept)
        return expression

    def simplify_literals(self, expression: exp.Expr, *_: Any, **__: Any) -> exp.Expr:
        """Decide comparisons, lists of values and the first values that are there."""
        one, items = expression.this, expression.expressions
        if isinstance(expression, exp.In) and items and is_constant(one):
            return exp.convert(bare(one) in items)
        if isinstance(expression, exp.Coalesce):
            kept = [item for item in (one, *items) if not is_null(bare(item))]
            first = kept[0] if kept else exp.Null()
            return first if len(kept) < 2 or is_constant(first) else expression
        if isinstance(expression, self.COMPARISONS) and is_constant(one):
            left, right = bare(one), bare(expression.expression)
            if isinstance(expression, exp.Is) and is_null(right):
                return exp.convert(is_null(left))
            if is_null(left) or is_null(right):
                return exp.Null()
            if is_constant(right):
                value = eval_boolean(expression, left.to_py(), right.to_py())
                return value or expression
        return expression


_DECIDER = _Decider(annotate_new_expressions=False)


def bare(node: exp.Expr) -> exp.Expr:
    """Return a node without the casts around it."""
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    return node


def is_constant(node: exp.Expr) -> bool:
    """Return whether a node is a literal, perhaps cast."""
    return isinstance(bare(node), _CONSTANTS)


def conjuncts(*conditions: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of conditions that must all hold."""
    parts: list[exp.Expr] = []
    for condition in filter(None, conditions):
        parts += condition.flatten() if isinstance(condition, exp.And) else [condition]
    return parts


def always(node: exp.Expr | None) -> bool:
    """Return whether a condition always holds."""
    return node is not None and always_true(bare(node))


def never(node: exp.Expr | None) -> bool:
    """Return whether a condition never holds."""
    parts = map(bare, conjuncts(node))
    return any(is_null(part) or is_false(part) for part in parts)


def decided(node: exp.Expr) -> exp.Expr:
    """Return an expression, copied, with what is decided in it done."""
    root = exp.Alias(this=node.copy())
    for part in list(root.find_all(exp.Predicate, exp.Case, exp.If)):
        for child in list(part.iter_expressions()):
            # A whole number is the same without its cast.
            if isinstance(child, exp.Cast) and is_constant(child):
                value = bare(child)
                if not value.is_number or float(value.name).is_integer():
                    child.replace(value)
        if isinstance(part, exp.If):
            # A condition holds where its branch is taken.
            for same in list(part.args["true"].find_all(type(part.this))):
                if same == part.this:
                    same.replace(exp.true())
    for part in list(root.walk()):
        if isinstance(part, SIMPLIFIABLE) and not isinstance(part.parent, SIMPLIFIABLE):
            _DECIDER.simplify(part)
    # A copy, for the rules leave some nodes with another parent.
    return root.this.copy()
