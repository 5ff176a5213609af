"""What the parameters of measures rule out: branches that would have no rows."""

from collections.abc import Iterable

from sqlglot import exp

from ndcg_sql.measures.names import Measure

# Relations and CTEs that have rows only for some value of a parameter.
_NEEDS: dict[str, tuple[str, tuple[object, ...]]] = {
    "tied_gains": ("ties", ("mean",)),
    "retrieved_ideals": ("ideal", ("retrieved", "topk")),
    "condensing": ("judged_only", (True,)),
}
# Only measures that share rankings have ends; unfit measures are refused before.
_ALWAYS = frozenset({"ends"})
_FIT = "fitting_measures"


def empty(measures: Iterable[Measure]) -> frozenset[str]:
    """Return the relations that have no rows for some measures."""
    measures = list(measures)
    return _ALWAYS | {
        name
        for name, (key, values) in _NEEDS.items()
        if not any(measure.parameters.get(key) in values for measure in measures)
    }


def pruned(name: str, tree: exp.Expr, without: frozenset[str]) -> exp.Expr:
    """Return the select of a view without what reads empty relations."""
    for union in list(tree.find_all(exp.Union))[::-1]:
        _choose(union, without)
    while isinstance(tree, exp.Union):
        left, right = _has_rows(tree.this, without), _has_rows(tree.expression, without)
        if left and right:
            break
        kept = tree.this if left else tree.expression
        if ctes := tree.args.get("with_"):
            kept.set("with_", ctes)
        kept.parent = None
        tree = kept
    for join in list(tree.find_all(exp.Join)):
        if join.this.name == _FIT:
            join.pop()
    if name == "computed_hits":
        _simplify_hits(tree, "tied_gains" in without)
    _drop_unread(tree)
    return tree


def _has_rows(select: exp.Expr, without: frozenset[str]) -> bool:
    """Return whether a branch of a union can have rows that are read."""
    if any(
        isinstance(column, exp.Alias)
        and column.alias == "part"
        and column.this.name == "unjudged"
        for column in select.expressions
    ):
        return False  # Only ndcg_steps shows these.
    if isinstance(select, exp.Union):
        return True
    sources = [*select.find_all(exp.Table)]
    return not any(source.name in without for source in sources)


def _choose(union: exp.Expr, without: frozenset[str]) -> None:
    """Replace a union inside a select by its only branch with rows."""
    if union.parent is None:
        return
    left = _has_rows(union.this, without)
    right = _has_rows(union.expression, without)
    if left and right:
        return
    union.replace((union.this if left else union.expression).copy())


def _simplify_hits(tree: exp.Expr, untied: bool) -> None:
    """Drop single floats, and ties if no measure shares gains among them."""
    for branch in list(tree.find_all(exp.If)):
        if branch.this.find(exp.Literal) and "score32" in branch.this.sql():
            branch.pop()
    if not untied:
        return
    for join in list(tree.args.get("joins") or []):
        if join.this.name == "ties":
            join.pop()
    kept = [c for c in tree.expressions if c.alias not in ("tie_first", "tie_last")]
    tree.set("expressions", kept)


def _drop_unread(tree: exp.Expr) -> None:
    """Remove common table expressions that nothing reads."""
    ctes = tree.args.get("with_")
    while ctes:
        names = [table.name for table in tree.find_all(exp.Table)]
        unread = [cte for cte in ctes.expressions if cte.alias not in names]
        if not unread:
            return
        for cte in unread:
            cte.pop()
        if not ctes.expressions:
            ctes.pop()
            return
