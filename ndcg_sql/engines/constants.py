"""What is the same in all rows is written as a literal, and what it decides is done."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.optimizer.helpers import projection_has_aggregate
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.deciding import decided, is_constant, never
from ndcg_sql.engines.statement import joins_of

# Columns of the user's tables that are never null: the checks refuse other rows.
_CHECKED = frozenset({"run", "query_id", "doc_id"})
# Makes no row of no rows.
_SOME = exp.Having(this=exp.Count(this=exp.Star()) > 0)


@dataclass(frozen=True)
class _Origin:
    """A column of the user's that a column has values of, or all of them."""

    column: str
    is_whole: bool


@dataclass
class _Facts:
    """What holds for the rows of a query.

    values has the columns that are the same in all rows, or equal to another column,
    which is their value; origins, columns that are never null.
    """

    values: dict[str, exp.Expr] = field(default_factory=dict[str, exp.Expr])
    origins: dict[str, _Origin] = field(default_factory=dict[str, _Origin])
    # Whether there is no row, exactly one, or at most one.
    is_empty: bool = False
    is_single: bool = False
    is_at_most_one: bool = False


def constants(tree: exp.Expr) -> exp.Expr:
    """Write the constants of a statement; what it shows itself stays as it is."""
    facts: dict[int, _Facts] = defaultdict(_Facts)
    for scope in traverse_scope(tree):
        query, read = scope.expression, scope.selected_sources.items()
        if isinstance(query, exp.Union):
            branches = facts[id(query.left)], facts[id(query.right)]
            _leave_branch(query, *branches)
            facts[id(query)] = _of_union(*branches)
        elif isinstance(query, exp.Select) and query is not tree:
            inner = {n: s.expression for n, (_, s) in read if isinstance(s, Scope)}
            sources = {name: facts[id(source)] for name, source in inner.items()}
            for rule in (_write, _group, _leave_sources, _leave_keys):
                rule(query, sources)
            facts[id(query)] = _of_select(query, sources)
    return tree


def _leave_branch(union: exp.Union, left: _Facts, right: _Facts) -> None:
    """Leave out a branch without rows, or with rows that no reader takes."""
    cte = union.find_ancestor(exp.CTE)
    tables = union.root().find_all(exp.Table)
    readers = [table for table in tables if cte and table.name == cte.alias]
    for facts, other in ((left, union.right), (right, union.left)):
        facts.is_empty |= not any(_takes(table, facts) for table in readers)
        is_distinct = union.args.get("distinct")
        if facts.is_empty and isinstance(other, exp.Select) and is_distinct:
            union.replace(other.pop().distinct())
            return
        if facts.is_empty and not is_distinct:
            union.replace(other.pop())
            return


def _takes(table: exp.Table, facts: _Facts) -> bool:
    """Return whether what reads a table may take rows for which facts hold."""
    select, name = table.parent_select, table.alias_or_name
    if not select or name in _outer_joins(select):
        return True
    return not _of_select(decided(_filled(select.copy(), name, facts)), {}).is_empty


def _filled(node: exp.Expr, name: str, facts: _Facts) -> exp.Expr:
    """Write the values of the columns of a source into a node."""
    for column in _columns_of(node, name):
        value = facts.values.get(column.name)
        if isinstance(value, exp.Column):
            column.set("this", value.this.copy())
        elif value:
            column.replace(value.copy())
    return node


def _write(select: exp.Select, sources: dict[str, _Facts]) -> None:
    """Write the values of columns in their places, and do what they decide."""
    outer = _outer_joins(select)
    for name, facts in sources.items():
        # Where a left join has no partner, its columns are null, not constant.
        _filled(outer.get(name, select), name, facts)
    decided(select)
    for name, join in outer.items():
        # A join that never finds a row gives null.
        if never(join.args.get("on")) or (name in sources and sources[name].is_empty):
            join.pop()
            for column in _columns_of(select, name):
                column.replace(exp.null())
    for clause in (select.args.get("where"), select.args.get("having")):
        if clause and clause.this == exp.true():
            clause.pop()
    for join in joins_of(select):
        if join.args.get("on") == exp.true() and not join.side:
            join.set("on", None)
            join.set("kind", "CROSS")


def _group(select: exp.Select, _: dict[str, _Facts]) -> None:
    """Leave constants out of keys; distinct rows are groups, whose columns may go."""
    for window in select.find_all(exp.Window):
        window.set("partition_by", _varying(window.args.get("partition_by") or []))
    group, is_distinct = select.args.get("group"), select.args.get("distinct")
    if is_distinct and not group and not select.find(exp.AggFunc, exp.Window):
        group = exp.Group(expressions=[i.unalias().copy() for i in select.expressions])
        select.set("distinct", None)
    if group:
        keys = _varying(group.expressions)
        select.set("group", exp.Group(expressions=keys) if keys else None)
        if not keys and _counts(select):
            # Without groups, there would be a row where there are none.
            select.having(_SOME.this.copy(), copy=False)
        elif not keys:
            select.distinct(copy=False)


def _varying(keys: Iterable[exp.Expr]) -> list[exp.Expr]:
    """Return the keys that are not constant, once each."""
    return list(dict.fromkeys(key for key in keys if not is_constant(key)))


def _leave_sources(select: exp.Select, sources: dict[str, _Facts]) -> None:
    """Leave out sources of which nothing is read, if all rows stay as they are."""
    for join in reversed(joins_of(select)):
        if _is_idle(select, join, sources):
            join.pop()
    for name, facts in sources.items():
        is_first, joins = select.args["from_"].alias_or_name == name, joins_of(select)
        join = next((j for j in joins if is_first or j.alias_or_name == name), None)
        is_read = not facts.is_single or _columns_of(select, name)
        if join and not join.side and not is_read:
            select.where(join.args.get("on"), copy=False)
            if is_first:
                select.args["from_"].set("this", join.this)
            join.pop()


def _is_idle(select: exp.Select, join: exp.Join, sources: dict[str, _Facts]) -> bool:
    """Return whether a join finds one row or none, and keeps what it is joined with.

    It is a left one, or one with a relation that is joined already.
    """
    name, on = join.alias_or_name, join.args.get("on")
    if name not in sources or not sources[name].is_at_most_one:
        return False
    inner = [select.args["from_"], *(j for j in joins_of(select) if not j.side)]
    again = [part.this.name for part in inner].count(join.this.name) > 1
    is_read = len(_columns_of(select, name)) > len(_columns_of(on, name) if on else ())
    return not is_read and (join.side == "LEFT" or (again and not join.side and not on))


def _leave_keys(select: exp.Select, sources: dict[str, _Facts]) -> None:
    """Write an inner join as a left one if it finds a row for each row, or more.

    Such a join reads one column, which has all values that it is compared with and
    can be read there. If it tells the rows apart, sqlglot leaves the join out.
    """
    outer = _outer_joins(select)
    for join in joins_of(select):
        name, condition = join.alias_or_name, join.args.get("on")
        if join.side or not isinstance(condition, exp.EQ):
            continue
        columns, sides = _columns_of(select, name), (condition.left, condition.right)
        key, other = sides if sides[0] in columns else sides[::-1]
        whole, some = _origin_of(key, sources), _origin_of(other, sources)
        is_there = whole and some and whole.is_whole and whole.column == some.column
        is_key = set(columns) == {key} and other.text("table") not in outer
        if is_there and is_key:
            for column in columns:
                if column is not key:
                    column.replace(other.copy())
            join.set("side", "LEFT")
            join.set("kind", None)


def _outer_joins(select: exp.Expr) -> dict[str, exp.Join]:
    """Return the outer joins of a select by the names of what they read."""
    return {join.alias_or_name: join for join in joins_of(select) if join.side}


def _columns_of(node: exp.Expr, source: str) -> list[exp.Column]:
    """Return the columns of a source that a select, or a part of it, names."""
    return [column for column in node.find_all(exp.Column) if column.table == source]


def _counts(select: exp.Expr) -> bool:
    """Return whether a select shows an aggregate, such as makes one row of all."""
    return any(map(projection_has_aggregate, select.expressions))


def _of_select(select: exp.Expr, sources: dict[str, _Facts]) -> _Facts:
    """Return what holds for a select, by what holds for its sources."""
    facts, columns = _Facts(), dict[exp.Expr, str]()
    parts = [p for p in (select.args.get("from_"), *joins_of(select)) if p]
    inner = [part for part in parts if not part.args.get("side")]
    read = {p.alias_or_name: sources.get(p.alias_or_name, _Facts()) for p in inner}
    clauses = [c.this for name in ("where", "having") if (c := select.args.get(name))]
    conditions = [*clauses, *(on for part in inner if (on := part.args.get("on")))]
    for item in select.expressions:
        name, value = item.alias_or_name, item.unalias()
        if is_constant(value):
            facts.values[name] = value
        elif value in columns:
            facts.values[name] = exp.column(columns[value])
        columns.setdefault(value, name)
        if origin := _origin_of(value, read):
            is_whole = origin.is_whole and len(inner) == 1 and not conditions
            facts.origins[name] = _Origin(origin.column, is_whole)
    empty = any(source.is_empty for source in read.values())
    empty = empty or any(map(never, conditions))
    if _counts(select) and not select.args.get("group"):
        having = select.args.get("having")
        facts.is_single, facts.is_at_most_one = not having, True
        facts.is_empty = empty and having == _SOME
    else:
        facts.is_empty, has_all = empty, len(inner) == len(parts)
        single = all(source.is_single for source in read.values())
        facts.is_single = single and not conditions and has_all
        few = all(source.is_at_most_one for source in read.values())
        facts.is_at_most_one = few and has_all
    return facts


def _origin_of(value: exp.Expr, sources: dict[str, _Facts]) -> _Origin | None:
    """Return the origin of a value that is never null."""
    if isinstance(value, exp.Column) and value.table in sources:
        return sources[value.table].origins.get(value.name)
    column = value.this if isinstance(value, exp.Cast) else value
    is_users = isinstance(column, exp.Column) and column.table.startswith("given_")
    is_checked = is_users and column.name in _CHECKED
    return _Origin(column.sql(), is_whole=True) if is_checked else None


def _of_union(left: _Facts, right: _Facts) -> _Facts:
    """Return what holds for a union, which leaves out a branch without rows."""
    if left.is_empty or right.is_empty:
        return right if left.is_empty else left
    values = left.values.items()
    return _Facts({name: one for name, one in values if right.values.get(name) == one})
