"""What is the same in all rows is written as a literal, and what it decides is done.

A script has the parameters of its measures. This carries them through the queries of
a statement: a column that is constant is replaced where it is read, conditions are
decided, and branches of unions and joins that add nothing then are left out.
"""

from collections import defaultdict
from collections.abc import Mapping

from sqlglot import exp

from ndcg_sql.engines.deciding import always, conjuncts, decided, is_constant, never
from ndcg_sql.engines.facts import (
    LEFT,
    RIGHT,
    Facts,
    Known,
    columns_of,
    joins_of,
    names_of,
    of_select,
    queries,
)

# The selects that read a query, with the names that it has there, by its own name.
Readers = Mapping[str, list[tuple[exp.Expr, str]]]


def constants(tree: exp.Expr) -> exp.Expr:
    """Write the constants of a statement; what it shows itself stays as it is."""
    readers: Readers = defaultdict(list)
    for table in tree.find_all(exp.Table):
        if select := table.parent_select:
            readers[table.name].append((select, table.alias_or_name))
    for node, known in queries(tree):
        if isinstance(node, exp.Union):
            _leave_branch(node, known, readers)
        elif isinstance(node, exp.Select) and node is not tree:
            _leave_empty_joins(node, known)
            _write(node, known)
            _decide(node, known)
            _leave_sources(node, known)
            if node.args.get("distinct") and isinstance(node.parent, exp.CTE):
                _leave_columns(node, readers[node.parent.alias])
    return tree


def _leave_branch(union: exp.Union, known: Known, readers: Readers) -> None:
    """Leave out a branch without rows, or with rows that no reader takes."""
    cte = union.find_ancestor(exp.CTE)
    places = readers[cte.alias] if cte else []
    left, right = union.left, union.right
    if union.args.get("distinct") or names_of(left) != names_of(right):
        return
    for side, other in ((LEFT, right), (RIGHT, left)):
        facts = known[side]
        if places and all(_refuses(*place, facts) for place in places):
            facts.most = 0
        if facts.most == 0:
            union.replace(other.pop())
            return


def _refuses(select: exp.Expr, name: str, facts: Facts) -> bool:
    """Return whether a select takes no row of a source for which facts hold."""
    joins, where = joins_of(select), select.args.get("where")
    outer = [join for join in joins if join.side]
    own = [join for join in outer if join.alias_or_name == name]
    inner = [join for join in joins if not join.side]
    conditions = [join.args.get("on") for join in own or inner]
    for part in conjuncts(*conditions, where.this if where and not own else None):
        root = exp.Paren(this=part.copy())
        for column in columns_of(root, name):
            if value := facts.constant(column.name):
                column.replace(value.copy())
        if never(decided(root.this)):
            return True
    return False


def _leave_empty_joins(select: exp.Select, known: Known) -> None:
    """Leave out joins that never find a row: their columns are null."""
    for join in joins_of(select):
        name = join.alias_or_name
        is_empty = name in known and known[name].most == 0
        if join.side and (is_empty or never(join.args.get("on"))):
            for column in columns_of(select, name):
                column.replace(exp.Null())
            join.pop()


def _write(select: exp.Select, known: Known) -> None:
    """Write what is known of columns in their places."""
    outer = {join.alias_or_name: join for join in joins_of(select) if join.side}

    def varies(node: exp.Expr) -> bool:
        if not isinstance(node, exp.Column) or node.table in outer:
            return True
        return known.get(node.table, Facts()).constant(node.name) is None

    for window in select.find_all(exp.Window):
        parts: list[exp.Expr] = window.args.get("partition_by") or []
        window.set("partition_by", list(dict.fromkeys(filter(varies, parts))))
    if group := select.args.get("group"):
        # A select without groups would have a row where there are none.
        keys: list[exp.Expr] = group.expressions
        kept = list(dict.fromkeys(filter(varies, keys)))
        group.set("expressions", kept or keys[:1])
    for name, facts in known.items():
        # Where a left join has no partner, its columns are null, not constant.
        for column in columns_of(outer.get(name, select), name):
            value = facts.constant(column.name)
            if value and not isinstance(column.parent, exp.Group):
                column.replace(value.copy())
        for column in columns_of(select, name):
            if column.name in facts.same:
                column.replace(exp.column(facts.same[column.name], name))


def _decide(select: exp.Select, known: Known) -> None:
    """Decide the conditions in a select, and leave out those that always hold."""
    outer = {join.alias_or_name for join in joins_of(select) if join.side}
    for pair in select.find_all(exp.EQ, exp.NEQ, exp.GT, exp.LT):
        one = pair.this
        if one == pair.expression and isinstance(one, exp.Column):
            facts = known.get(one.table, Facts())
            if one.table not in outer and one.name in facts.origins:
                pair.replace(exp.convert(isinstance(pair, exp.EQ)))
    for join in joins_of(select):
        if condition := join.args.get("on"):
            join.set("on", decided(condition))
    if group := select.args.get("group"):
        group.set("expressions", list(dict.fromkeys(map(decided, group.expressions))))
    for item in select.expressions:
        if not is_constant(item.this):
            item.set("this", decided(item.this))
    for name in ("where", "having"):
        if clause := select.args.get(name):
            clause.set("this", decided(clause.this))
            if always(clause.this):
                clause.pop()


def _leave_sources(select: exp.Select, known: Known) -> None:
    """Leave out sources with one row of which nothing is read."""
    for join in joins_of(select):
        condition, name = join.args.get("on"), join.alias_or_name
        is_single = name in known and known[name].single
        if condition and not join.side:
            is_free = is_single and not columns_of(condition, name)
            if is_free or always(condition):
                join.set("on", None)
                join.set("kind", "CROSS")
                select.where(None if always(condition) else condition, copy=False)
    facts = of_select(select, known)
    if facts.single and len(facts.values) == len(select.expressions):
        for clause in ("from_", "joins", "distinct", "group"):
            select.set(clause, None)
    source, joins = select.args.get("from_"), joins_of(select)
    if source and joins and joins[0].kind == "CROSS":
        name = source.alias_or_name
        if name in known and known[name].single and not columns_of(select, name):
            source.set("this", joins[0].pop().this)


def _leave_columns(select: exp.Select, readers: list[tuple[exp.Expr, str]]) -> None:
    """Leave constants that nothing reads out of a select of distinct rows."""
    read = {column.name for place in readers for column in columns_of(*place)}
    items = select.expressions
    kept = [i for i in items if not is_constant(i.this) or i.alias_or_name in read]
    select.set("expressions", kept or items[:1])
