"""The rules that make a statement small: those of sqlglot, and two of our own."""

from functools import reduce

from sqlglot import exp
from sqlglot.helper import while_changing
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.pushdown_projections import pushdown_projections

from ndcg_sql.engines.folding import constants


def copies(tree: exp.Expr) -> exp.Expr:
    """Read the source of a relation that only has columns of it, if others read it too.

    Such a copy is left of a union whose other parts are empty. What the statement
    itself reads stays: that is for users.
    """
    ctes = {cte.alias: cte for cte in tree.args["with_"].expressions}
    for name, cte in ctes.items():
        source, tables = _copied(cte.this), list(tree.find_all(exp.Table))
        readers = [table for table in tables if table.name == name]
        is_shown = any(table.parent_select is tree for table in readers)
        is_alone = sum(table.name == source for table in tables) == 1
        if source in ctes and not is_shown and not is_alone:
            for table in readers:
                alias = table.alias_or_name
                table.replace(exp.alias_(exp.to_table(source), alias, table=True))
            cte.pop()
    return tree


def _copied(select: exp.Expr) -> str:
    """Return the relation of which a select has some columns and all rows, or ""."""
    if {name for name, part in select.args.items() if part} != {"expressions", "from_"}:
        return ""
    is_same = all(
        isinstance(item.unalias(), exp.Column)
        and item.unalias().name == item.alias_or_name
        for item in select.expressions
    )
    source = select.args["from_"].this
    return source.name if is_same and isinstance(source, exp.Table) else ""


_RULES = (constants, eliminate_joins, merge_subqueries, pushdown_projections, copies)


def optimized(tree: exp.Expr) -> exp.Expr:
    """Apply the rules to a statement until they change nothing."""

    def once(tree: exp.Expr) -> exp.Expr:
        return reduce(lambda tree, rule: rule(tree), _RULES, tree)

    return while_changing(eliminate_subqueries(tree), once)
