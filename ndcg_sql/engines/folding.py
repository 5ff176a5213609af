"""What is the same in all rows is written as a literal, and what it decides is done.

A script knows the parameters of its measures. Folding carries them through the
relations: a column that is constant is replaced where it is read, conditions are
decided, and branches and joins that cannot have rows, or whose rows are all known,
are left out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlglot import exp

from ndcg_sql.engines.deciding import decided, is_constant, is_true, never
from ndcg_sql.engines.trimming import joins_of, own_columns, sources


@dataclass
class Facts:
    """What is known of a relation before it has rows.

    constants has the columns that are the same in all rows; same, those that always
    equal another column. keys are columns that tell its rows apart. single: it has
    exactly one row; filled: at least one; empty: none.
    """

    constants: dict[str, exp.Expr] = field(default_factory=dict[str, exp.Expr])
    same: dict[str, str] = field(default_factory=dict[str, str])
    keys: frozenset[str] | None = None
    single: bool = False
    filled: bool = False
    empty: bool = False


Known = dict[str, Facts]


def fold(tree: exp.Expr, known: Known) -> tuple[exp.Expr, Facts]:
    """Return a query folded by the facts of what it reads, and its own facts."""
    known = dict(known)
    ctes = tree.args.get("with_")
    for cte in ctes.expressions if ctes else ():
        query, facts = fold(cte.this, known)
        cte.set("this", query)
        if cte.alias not in known:
            known[cte.alias] = facts
    if isinstance(tree, exp.Select):
        return tree, _fold_select(tree, known)
    return _fold_union(tree, known)


def _fold_union(tree: exp.Expr, known: Known) -> tuple[exp.Expr, Facts]:
    """Fold the branches of a union, and keep those that can have rows."""
    left, first = fold(tree.this, known)
    right, second = fold(tree.expression, known)
    # A union has the names of its first branch.
    alike = _names(left) == _names(right) and not tree.args.get("distinct")
    if alike and (first.empty or second.empty):
        kept, facts = (right, second) if first.empty else (left, first)
        if ctes := tree.args.get("with_"):
            kept.set("with_", ctes)
        kept.parent = None
        return kept, facts
    tree.set("this", left)
    tree.set("expression", right)
    shared = {
        name: value
        for name, value in first.constants.items()
        if second.constants.get(name) == value
    }
    same = {a: b for a, b in first.same.items() if second.same.get(a) == b}
    filled = first.filled or second.filled
    return tree, Facts(constants=shared, same=same, filled=filled)


def _names(tree: exp.Expr) -> list[str]:
    """Return the names of the columns of a query."""
    return list(tree.named_selects) if isinstance(tree, exp.Query) else []


def _fold_select(select: exp.Select, known: Known) -> Facts:
    """Fold a select in place."""
    source = select.args.get("from_")
    joins = joins_of(select)
    places = {join.alias_or_name: join for join in joins}
    facts: Known = {}
    for item in [source, *joins] if source else []:
        table = item.this
        local = isinstance(table, exp.Table) and not table.db
        found = known.get(table.name) if local else None
        facts[item.alias_or_name] = found or Facts()
    for name, join in places.items():
        if join.side == "LEFT" and not facts[name].empty:
            # Where it has no partner, the columns are null, not constant.
            mine = {name: facts[name]}
            if join.args.get("on"):
                _walk(join, lambda node, mine=mine: _known_column(node, mine))
            same, keys = facts[name].same, facts[name].keys
            facts[name] = Facts({}, same, keys, facts[name].single)
    _fold_groups(select, facts)
    _walk(select, lambda node: _known_column(node, facts))
    for join in joins:
        if condition := join.args.get("on"):
            new = decided(condition)
            join.set("on", new)
            if is_true(new) and join.side != "LEFT":
                join.set("on", None)
                join.set("kind", "CROSS")
    for clause in ("where", "having"):
        if node := select.args.get(clause):
            node.set("this", decided(node.this))
            if is_true(node.this):
                select.set(clause, None)
    for item in list(select.expressions):
        _fold_item(item)
    if group := select.args.get("group"):
        found = list(dict.fromkeys(decided(key) for key in group.expressions))
        group.set("expressions", found)
    where = select.args.get("where")
    inner = [join for join in joins if join.side != "LEFT"]
    grouped = select.args.get("group") is not None
    counts = not grouped and any(
        not isinstance(found.parent, exp.Window)
        for item in select.expressions
        for found in item.find_all(exp.AggFunc)
    )
    none = where is not None and never(where.this)
    none = none or any(never(j.args.get("on")) for j in inner)
    outer = {join.alias_or_name for join in joins} - {j.alias_or_name for j in inner}
    none = none or any(f.empty for name, f in facts.items() if name not in outer)
    for join in joins:
        _drop(select, join, facts[join.alias_or_name])
    where = select.args.get("where")
    if source and facts[source.alias_or_name].single:
        _drop_first(select)
    single = counts and select.args.get("having") is None
    filled = False
    if not none and where is None and select.args.get("having") is None:
        left = sources(select)
        known_rows = [facts[item.alias_or_name] for item in left]
        free = all(not i.args.get("on") or i.args.get("side") for i in left)
        single |= not grouped and free and all(f.single for f in known_rows)
        filled = free and all(
            f.filled or i.args.get("side")
            for f, i in zip(known_rows, left, strict=True)
        )
        fixed = all(is_constant(item.unalias()) for item in select.expressions)
        single |= filled and fixed and select.args.get("distinct") is not None
    found = _facts_of(select)
    found.single, found.filled = single, single or filled
    found.empty = none and not counts
    return found


def _facts_of(select: exp.Expr) -> Facts:
    """Return what is known of the columns of a select that is folded."""
    facts = Facts()
    seen: dict[exp.Expr, str] = {}
    names: dict[exp.Expr, str] = {}
    for item in select.expressions:
        value = item.this if isinstance(item, exp.Alias) else item
        names.setdefault(value, item.alias_or_name)
        if is_constant(value):
            facts.constants[item.alias_or_name] = value.copy()
        elif value in seen:
            facts.same[item.alias_or_name] = seen[value]
        elif isinstance(value, exp.Column):
            seen[value] = item.alias_or_name
    if (group := select.args.get("group")) and all(
        key in names for key in group.expressions
    ):
        facts.keys = frozenset(names[key] for key in group.expressions)
    return facts


def _walk(tree: exp.Expr, change: Callable[[exp.Expr], exp.Expr]) -> None:
    """Change the nodes of a tree, but not those of selects inside."""

    def visit(node: exp.Expr) -> None:
        for child in list(node.iter_expressions()):
            if isinstance(child, (exp.With, exp.Query)):
                continue
            new = change(child)
            if new is not child:
                child.replace(new)
            else:
                visit(child)

    visit(tree)


def _known_column(node: exp.Expr, facts: Known) -> exp.Expr:
    """Return what is known of a column in its place, or the column."""
    if not isinstance(node, exp.Column) or node.table not in facts:
        return node
    found = facts[node.table]
    value = found.constants.get(node.name)
    if found.empty:
        new: exp.Expr = exp.Null()
    elif value is not None:
        new = value.copy()
    elif node.name in found.same:
        new = exp.column(found.same[node.name], node.table)
    else:
        return node
    is_shown = isinstance(node.parent, exp.Select)
    return exp.alias_(new, node.name) if is_shown else new


def _fold_groups(select: exp.Expr, facts: Known) -> None:
    """Leave out of groups, partitions and orders what is constant."""

    def constant(node: exp.Expr) -> bool:
        node = node.this if isinstance(node, exp.Ordered) else node
        if not isinstance(node, exp.Column) or node.table not in facts:
            return False
        return facts[node.table].constants.get(node.name) is not None

    if group := select.args.get("group"):
        kept = [key for key in group.expressions if not constant(key)]
        # A select without groups would have a row where there are none.
        group.set("expressions", kept or group.expressions[:1])
        if not kept:
            only = group.expressions[0]
            facts[only.table].constants.pop(only.name)
    windows = [w for w in select.find_all(exp.Window) if w.parent_select is select]
    for window in windows:
        parts: list[exp.Expr] = list(window.args.get("partition_by") or [])
        kept = [part for part in parts if not constant(part)]
        window.set("partition_by", list(dict.fromkeys(kept)))


def _fold_item(item: exp.Expr) -> None:
    """Simplify what a select shows, which keeps its name and its type."""
    if isinstance(item, exp.Alias) and not is_constant(item.this):
        item.set("this", decided(item.this))


def _drop(select: exp.Select, join: exp.Join, facts: Facts) -> None:
    """Leave out a join whose columns nothing reads, if it changes no rows."""
    name = join.alias_or_name
    condition = join.args.get("on")
    mine = [c for c in own_columns(select) if c.table == name]
    if join.side == "LEFT":
        inside = list(condition.find_all(exp.Column)) if condition else []
        if any(all(c is not i for i in inside) for c in mine):
            return
        equal = {
            column.name
            for part in (condition.flatten() if condition else ())
            if isinstance(part, exp.EQ)
            for column in (part.this, part.expression)
            if isinstance(column, exp.Column) and column.table == name
        }
        unique = facts.keys is not None and facts.keys <= equal
        if facts.empty or facts.single or unique:
            join.pop()
    elif facts.single and not mine:
        join.pop()
        if condition:
            select.where(condition, copy=False)


def _drop_first(select: exp.Select) -> None:
    """Read from the second source if nothing reads the first, which has one row."""
    source = select.args["from_"]
    joins = joins_of(select)
    if not joins or joins[0].side or isinstance(select.parent, exp.Query):
        return
    if any(c.table == source.alias_or_name for c in own_columns(select)):
        return
    first = joins[0]
    condition = first.args.get("on")
    first.pop()
    source.set("this", first.this)
    if condition:
        select.where(condition, copy=False)
