"""The relations of a script, without what the asked measures rule out."""

from sqlglot import exp

from ndcg_sql.engines.folding import Known, fold
from ndcg_sql.engines.trimming import (
    Relations,
    joins_of,
    merge_inside,
    merged,
    own_columns,
    selects,
    sources,
    trimmed,
    write,
)

# Relations that have a row for each id that any relation has: a join that only
# repeats the id changes nothing. The name of a run is its id.
_COMPLETE = {"runs": ("run_id", "name"), "measures": ("measure",)}


def prepared(name: str, tree: exp.Expr) -> exp.Expr:
    """Return the select of a view without what no script needs.

    Measures that do not fit the judgments are refused before; only ndcg_steps shows
    the part of unjudged documents; only measures that share rankings end others.
    """
    if name == "gain_prefixes":
        ctes = tree.args["with_"]
        tree = tree.this.copy()
        tree.set("with_", ctes)
    for join in list(tree.find_all(exp.Join)):
        if join.this.name == "fitting_measures":
            join.pop()
    for union in list(tree.find_all(exp.Union)):
        parts = [item for item in union.expression.expressions if item.alias == "part"]
        if any(part.unalias().name == "unjudged" for part in parts):
            union.replace(union.this)
    for select in selects(tree):
        if len(found := sources(select)) == 1:
            for column in own_columns(select):
                if not column.table:
                    column.set("table", exp.to_identifier(found[0].alias_or_name))
    return tree


def pruned(relations: Relations, public: dict[str, frozenset[str]]) -> Relations:
    """Return the relations that have rows and are read, in order of creation."""
    before = ""
    while True:
        known: Known = {}
        for name, tree in relations.items():
            _leave_repeated(tree)
            relations[name], known[name] = fold(tree, known)
        relations = merged(trimmed(relations, public), public)
        for tree in relations.values():
            merge_inside(tree)
        after = ";".join(tree.sql("duckdb") for tree in relations.values())
        if after == before:
            return relations
        before = after


def _leave_repeated(tree: exp.Expr) -> None:
    """Leave out joins with complete relations of which only the id is read."""
    for select in selects(tree):
        for join in joins_of(select):
            name, condition = join.this.name, join.args.get("on")
            if name not in _COMPLETE or not isinstance(condition, exp.EQ):
                continue
            names = _COMPLETE[name]
            own, kept = condition.this, condition.expression
            if own.alias_or_name != names[0] or own.args.get("table") is None:
                continue
            if own.table != join.alias_or_name:
                own, kept = kept, own
            mine = [c for c in own_columns(select) if c.table == join.alias_or_name]
            if own.name != names[0] or any(c.name not in names for c in mine):
                continue
            join.pop()
            for column in mine:
                if column is not own:
                    write(column, kept)
