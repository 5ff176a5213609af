"""Joins on keys that add no column are left out."""

from sqlglot import exp

from ndcg_sql.engines.deciding import conjuncts
from ndcg_sql.engines.facts import Known, columns_of, equal_columns, joins_of, queries


def joins_on_keys(tree: exp.Expr) -> exp.Expr:
    """Leave out joins that find exactly one row, all of which is there without them.

    Such a join compares the key of what it reads, and either another one with the
    same does so too, or only the key is read, which has all values that it is
    compared with.
    """
    for node, known in queries(tree):
        for join in reversed(joins_of(node)):
            if not join.side and _stands_without(node, join, known):
                join.pop()
    return tree


def _stands_without(select: exp.Expr, join: exp.Join, known: Known) -> bool:
    """Read the columns of a join elsewhere; return False if they are not there."""
    name, equal = join.alias_or_name, equal_columns(join)
    facts = known.get(name)
    parts = conjuncts(join.args.get("on"))
    if not equal or not facts or facts.unique != equal.keys():
        return False
    if len(parts) != len(equal):
        return False
    for other in joins_of(select):
        is_same = known.get(other.alias_or_name) is facts and other is not join
        if is_same and not other.side and equal_columns(other) == equal:
            for column in columns_of(select, name):
                column.set("table", exp.to_identifier(other.alias_or_name))
            return True
    (key, other), *more = equal.items()
    outer = {join.alias_or_name for join in joins_of(select) if join.side}
    origins = known[other.table].origins if other.table in known else {}
    whole = facts.origins.get(key, [])[:1]
    if more or other.table in outer or not whole:
        return False
    read = columns_of(select, name)
    if whole[0] not in origins.get(other.name, []) or any(c.name != key for c in read):
        return False
    for column in read:
        column.replace(other.copy())
    return True
