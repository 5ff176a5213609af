"""The rules that make a statement small: those of sqlglot, and one of our own."""

from sqlglot import exp
from sqlglot.helper import while_changing
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.pushdown_projections import pushdown_projections

from ndcg_sql.engines.constants import constants

_RULES = (constants, eliminate_joins, merge_subqueries, pushdown_projections)


def optimized(tree: exp.Expr) -> exp.Expr:
    """Apply the rules to a statement until they change nothing."""
    return while_changing(eliminate_subqueries(tree), _pass)


def _pass(tree: exp.Expr) -> exp.Expr:
    """Apply each rule once."""
    for rule in _RULES:
        tree = rule(tree)
    return tree
