"""Joins on keys that add no column are left out."""

from sqlglot import exp

from ndcg_sql.engines.facts import columns_of, joins_of, queries


def joins_on_keys(tree: exp.Expr) -> exp.Expr:
    """Write an inner join as a left one if it finds a row for each row, or more.

    Such a join reads one column, which has all values that it is compared with and
    can be read there. If it tells the rows apart, sqlglot leaves the join out.
    """
    for select, known in queries(tree):
        outer = {join.alias_or_name for join in joins_of(select) if join.side}
        for join in joins_of(select):
            name, condition = join.alias_or_name, join.args.get("on")
            if join.side or name not in known or not isinstance(condition, exp.EQ):
                continue
            sides = [condition.this, condition.expression]
            if not all(isinstance(side, exp.Column) for side in sides):
                continue
            own, other = sides if sides[0].table == name else sides[::-1]
            read = columns_of(select, name)
            if other.table in outer or other.table not in known or set(read) != {own}:
                continue
            whole = known[name].origins.get(own.name, [])[:1]
            if whole and whole[0] in known[other.table].origins.get(other.name, []):
                for column in read:
                    if column is not own:
                        column.replace(other.copy())
                join.set("side", "LEFT")
                join.set("kind", None)
    return tree
