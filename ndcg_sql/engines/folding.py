"""The rules that make a statement small: those of sqlglot, and two of our own."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

from sqlglot import exp
from sqlglot.helper import while_changing
from sqlglot.optimizer.eliminate_joins import eliminate_joins
from sqlglot.optimizer.eliminate_subqueries import eliminate_subqueries
from sqlglot.optimizer.helpers import projection_has_aggregate
from sqlglot.optimizer.merge_subqueries import merge_subqueries
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.deciding import decided, is_constant, never
from ndcg_sql.engines.statement import joins_of

# Relations that have all values of a column, and relations that have no others, if
# not all.
_KEYS = {
    "runs": ("run_id", None),
    "judged_queries": (
        "query_id",
        {"hits", "evaluated_queries", "query_values", "stored_values", "summands"},
    ),
}
# Makes no row of no rows.
_SOME = exp.Having(this=exp.Count(this=exp.Star()) > 0)


@dataclass
class _Facts:
    """What holds for the rows of a query.

    values has the columns that are the same in all rows, or equal to another column,
    which is their value. There are at least and at most so many rows.
    """

    values: dict[str, exp.Expr] = field(default_factory=dict[str, exp.Expr])
    least: float = 0
    most: float = math.inf


def constants(tree: exp.Expr) -> exp.Expr:
    """Write what is the same in all rows as a literal, and do what it decides.

    What the statement shows itself stays as it is.
    """
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
            for node in list(query.find_all(exp.In)):
                among = node.args.get("query")
                if among and facts[id(among.unnest())].most == 0:
                    node.replace(exp.false())
            for rule in (_write, _group, _leave_sources, _leave_keys):
                rule(query, sources)
            facts[id(query)] = _of_select(query, sources)
    return tree


def _leave_branch(union: exp.Union, left: _Facts, right: _Facts) -> None:
    """Leave out a branch without rows."""
    for facts, other in ((left, union.right), (right, union.left)):
        if facts.most == 0 and not union.args.get("distinct"):
            union.replace(other.pop())
            return


def _write(select: exp.Select, sources: dict[str, _Facts]) -> None:
    """Write the values of columns in their places, and do what they decide."""
    outer = {join.alias_or_name: join for join in joins_of(select) if join.side}
    for name, facts in sources.items():
        # Where a left join has no partner, its columns are null, not constant.
        for column in _columns_of(outer.get(name, select), name):
            value = facts.values.get(column.name)
            if isinstance(value, exp.Column):
                column.set("this", value.this.copy())
            elif value:
                column.replace(value.copy())
    decided(select)
    for name, join in outer.items():
        # A join that never finds a row gives null.
        if never(join.args.get("on")) or (name in sources and not sources[name].most):
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
    items = select.expressions
    over = {window.alias for item in items for window in item.find_all(exp.Window)}
    windows = [w for w in select.args.get("windows") or () if w.name in over]
    select.set("windows", windows or None)
    for window in select.find_all(exp.Window):
        window.set("partition_by", _varying(window.args.get("partition_by") or []))
    group, is_distinct = select.args.get("group"), select.args.get("distinct")
    if is_distinct and not group and not select.find(exp.AggFunc, exp.Window):
        group = exp.Group(expressions=[item.unalias().copy() for item in items])
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
    for name, facts in sources.items():
        is_first, joins = select.args["from_"].alias_or_name == name, joins_of(select)
        join = next((j for j in joins if is_first or j.alias_or_name == name), None)
        is_read = (facts.least, facts.most) != (1, 1) or _columns_of(select, name)
        if join and not join.side and not is_read:
            select.where(join.args.get("on"), copy=False)
            if is_first:
                select.args["from_"].set("this", join.this)
            join.pop()


def _leave_keys(select: exp.Select, _: dict[str, _Facts]) -> None:
    """Leave out joins with all runs or judged queries that read nothing but ids."""
    for join in joins_of(select):
        name, condition = join.alias_or_name, join.args.get("on")
        key, readers = _KEYS.get(join.this.name, ("", None))
        if not key or not isinstance(condition, exp.EQ) or join.side:
            continue
        own = exp.column(key, name)
        other = condition.left if condition.right == own else condition.right
        tables = {part.alias_or_name: part.this.name for part in _sources_of(select)}
        columns = _columns_of(select, name)
        is_there = readers is None or tables.get(other.text("table")) in readers
        if is_there and set(columns) == {own}:
            join.pop()
            for column in columns:
                column.replace(other.copy())


def _sources_of(select: exp.Expr) -> list[exp.Expr]:
    return [part for part in (select.args.get("from_"), *joins_of(select)) if part]


def _columns_of(node: exp.Expr, source: str) -> list[exp.Column]:
    """Return the columns of a source that a select, or a part of it, names."""
    return [column for column in node.find_all(exp.Column) if column.table == source]


def _counts(select: exp.Expr) -> bool:
    """Return whether a select shows an aggregate, such as makes one row of all."""
    return any(map(projection_has_aggregate, select.expressions))


def _of_select(select: exp.Expr, sources: dict[str, _Facts]) -> _Facts:
    """Return what holds for a select, by what holds for its sources."""
    facts, columns = _Facts(), dict[exp.Expr, str]()
    for item in select.expressions:
        name, value = item.alias_or_name, item.unalias()
        if is_constant(value):
            facts.values[name] = value
        elif value in columns:
            facts.values[name] = exp.column(columns[value])
        columns.setdefault(value, name)
    parts = _sources_of(select)
    inner = [part for part in parts if not part.args.get("side")]
    read = [sources.get(part.alias_or_name, _Facts()) for part in inner]
    clauses = [c.this for name in ("where", "having") if (c := select.args.get(name))]
    conditions = [*clauses, *(on for part in inner if (on := part.args.get("on")))]
    is_empty = any(source.most == 0 for source in read) or any(map(never, conditions))
    if _counts(select) and not select.args.get("group"):
        having = select.args.get("having")
        facts.least, facts.most = int(not having), int(not is_empty or having != _SOME)
    elif is_empty:
        facts.most = 0
    elif len(inner) == len(parts):
        facts.least = 0 if conditions else min((s.least for s in read), default=1)
        facts.most = 1 if all(source.most == 1 for source in read) else math.inf
    return facts


def _of_union(left: _Facts, right: _Facts) -> _Facts:
    """Return what holds for a union, which leaves out a branch without rows."""
    if not left.most or not right.most:
        return left if left.most else right
    values = left.values.items()
    return _Facts({name: one for name, one in values if right.values.get(name) == one})


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
