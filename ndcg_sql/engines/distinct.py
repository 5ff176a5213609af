"""Rows are made distinct once."""

from collections import Counter

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.facts import names_of


def distinct_once(tree: exp.Expr) -> exp.Expr:
    """Leave it to the only reader of a query to make its rows distinct.

    That is so if the reader does that anyway, or shows all columns of the query alone.
    """
    reads = Counter(table.name for table in tree.find_all(exp.Table))
    for scope in traverse_scope(tree):
        for name, (table, source) in scope.selected_sources.items():
            if isinstance(source, Scope) and reads[table.name] == 1:
                reader, query = scope.expression, source.expression
                if _is_plain(reader) and _is_plain(query):
                    is_only = len(scope.selected_sources) == 1
                    _hand_over(reader, query, name if is_only else None)
    return tree


def _is_plain(query: exp.Expr) -> bool:
    """Return whether a query is a select that counts no rows."""
    counting = query.find(exp.AggFunc, exp.Window, exp.Having)
    return isinstance(query, exp.Select) and counting is None


def _hand_over(reader: exp.Expr, query: exp.Expr, name: str | None) -> None:
    """Let a reader make the rows of a query distinct, which it reads alone as name."""
    distinct = query.args.get("distinct")
    if not reader.args.get("group") and not reader.args.get("distinct"):
        shown = {item.unalias() for item in reader.expressions}
        if not name or not distinct:
            return
        if not shown.issuperset(exp.column(own, name) for own in names_of(query)):
            return
        reader.set("distinct", distinct.copy())
    query.set("group", None)
    query.set("distinct", None)
