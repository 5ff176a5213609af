"""The rules that make a statement small: those of sqlglot, and some of our own."""

from sqlglot import exp
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.pushdown_projections import pushdown_projections

from ndcg_sql.engines.constants import constants
from ndcg_sql.engines.distinct import distinct_once
from ndcg_sql.engines.keys import joins_on_keys

_RULES = (
    constants,
    joins_on_keys,
    distinct_once,
    eliminate_joins,
    merge_subqueries,
    pushdown_projections,
)


def optimized(tree: exp.Expr) -> exp.Expr:
    """Apply the rules to a statement until they change nothing."""
    for select in tree.find_all(exp.Select):
        # What is written in the place of a column keeps its name.
        for item in select.expressions:
            if isinstance(item, exp.Column):
                item.replace(exp.alias_(item.copy(), item.name))
    tree, before = eliminate_subqueries(tree), None
    while tree != before:
        before = tree.copy()
        for rule in _RULES:
            tree = rule(tree)
    for item in tree.find_all(exp.Alias):
        if isinstance(item.this, exp.Column) and item.this.name == item.alias:
            item.replace(item.this)
    for table in tree.find_all(exp.Table):
        if table.alias == table.name:
            table.set("alias", None)
    return tree
