"""What is the same in all rows is written as a literal, and what it decides is done."""

from collections import defaultdict
from collections.abc import Iterable

from sqlglot import exp

from ndcg_sql.engines.deciding import always, conjuncts, decided, is_constant, never
from ndcg_sql.engines.facts import (
    Facts,
    Known,
    columns_of,
    counts,
    joins_of,
    names_of,
    of_select,
    queries,
)


def constants(tree: exp.Expr) -> exp.Expr:
    """Write the constants of a statement; what it shows itself stays as it is."""
    readers: dict[str, list[tuple[exp.Expr, str]]] = defaultdict(list)
    for table in tree.find_all(exp.Table):
        if select := table.parent_select:
            readers[table.name].append((select, table.alias_or_name))
    for node, known in queries(tree):
        if isinstance(node, exp.Union):
            cte = node.find_ancestor(exp.CTE)
            _leave_branch(node, known, readers[cte.alias] if cte else [])
        elif isinstance(node, exp.Select) and node is not tree:
            _write(node, known)
            _group(node)
            _leave_sources(node, known)
    return tree


def _leave_branch(
    union: exp.Union, known: Known, readers: list[tuple[exp.Expr, str]]
) -> None:
    """Leave out a branch without rows, or with rows that no reader takes."""
    branches = {"left": union.right, "right": union.left}
    if union.args.get("distinct") or names_of(union.left) != names_of(union.right):
        return
    for side, other in branches.items():
        if readers and all(_refuses(*reader, known[side]) for reader in readers):
            known[side].most = 0
        if known[side].most == 0:
            union.replace(other.pop())
            return


def _refuses(select: exp.Expr, name: str, facts: Facts) -> bool:
    """Return whether a select takes no row of a source for which facts hold."""
    where, joins = select.args.get("where"), joins_of(select)
    own = [join for join in joins if join.side and join.alias_or_name == name]
    conditions = [join.args.get("on") for join in own or joins if own or not join.side]
    parts = conjuncts(*conditions, where.this if where and not own else None)
    return any(never(decided(_filled(part.copy(), name, facts))) for part in parts)


def _filled(node: exp.Expr, name: str, facts: Facts) -> exp.Expr:
    """Write what is known of the columns of a source into a node."""
    for column in columns_of(node, name):
        if column.name in facts.same:
            column.set("this", exp.to_identifier(facts.same[column.name]))
        if value := facts.values.get(column.name):
            column.replace(value.copy())
    return node


def _write(select: exp.Select, known: Known) -> None:
    """Write what is known of columns in their places, and do what it decides."""
    outer = {join.alias_or_name: join for join in joins_of(select) if join.side}
    for name, join in outer.items():
        # A join that never finds a row gives null.
        if never(join.args.get("on")) or (name in known and known[name].most == 0):
            join.pop()
            for column in columns_of(select, name):
                column.replace(exp.Null())
    for name, facts in known.items():
        # Where a left join has no partner, its columns are null, not constant.
        _filled(outer.get(name, select), name, facts)
    clauses = [
        select.args[name] for name in ("where", "having") if select.args.get(name)
    ]
    for part in (*select.expressions, *joins_of(select), *clauses):
        key = "on" if isinstance(part, exp.Join) else "this"
        if (value := part.args.get(key)) and not is_constant(value):
            part.set(key, decided(value))
    for clause in clauses:
        if always(clause.this):
            clause.pop()


def _group(select: exp.Select) -> None:
    """Leave constants out of keys; distinct rows are groups, whose columns may go."""
    for window in select.find_all(exp.Window):
        window.set("partition_by", _varying(window.args.get("partition_by") or []))
    group, is_distinct = select.args.get("group"), select.args.get("distinct")
    if is_distinct and not group and not select.find(exp.AggFunc, exp.Window):
        keys = [item.unalias().copy() for item in select.expressions]
        group = exp.Group(expressions=keys)
        select.set("distinct", None)
    if group:
        keys = _varying(map(decided, group.expressions))
        select.set("group", exp.Group(expressions=keys) if keys else None)
        if not keys and counts(select):
            # Without groups, there would be a row where there are none.
            select.having("count(*) > 0", copy=False)
        elif not keys:
            select.distinct(copy=False)


def _varying(keys: Iterable[exp.Expr]) -> list[exp.Expr]:
    """Return the keys that are not constant, once each."""
    return list(dict.fromkeys(key for key in keys if not is_constant(key)))


def _leave_sources(select: exp.Select, known: Known) -> None:
    """Leave out sources with one row of which nothing is read."""
    single = {name for name, facts in known.items() if facts.single}
    for join in joins_of(select):
        condition, name = join.args.get("on"), join.alias_or_name
        if condition and not join.side:
            is_free = name in single and not columns_of(condition, name)
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
        if name in single and not columns_of(select, name):
            source.set("this", joins[0].pop().this)
