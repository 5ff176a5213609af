"""The rules that make a statement small: those of sqlglot, and two of our own."""

from sqlglot import exp
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.scope import traverse_scope

from ndcg_sql.engines.constants import constants
from ndcg_sql.engines.keys import joins_on_keys

_RULES = (
    constants,
    joins_on_keys,
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
    for scope in traverse_scope(tree):
        for name, (table, _) in list(scope.selected_sources.items()):
            # Merging gives numbers to names, whose other bearers may be gone.
            is_free = table.name not in scope.selected_sources
            if name == table.name or (is_free and name.startswith(f"{table.name}_")):
                table.set("alias", None)
                for column in scope.source_columns(name):
                    column.set("table", exp.to_identifier(table.name))
    return tree
