"""What holds for the queries of a statement before they have rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, prod

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.deciding import conjuncts, is_constant, is_null, never

# Columns of the user's tables that are never null: the checks refuse other rows.
_CHECKED = frozenset({"run", "query_id", "doc_id"})
# A query, and an expression in it.
Origin = tuple[int, str]


@dataclass
class Facts:
    """What holds for a query, which has at least and at most so many rows.

    values has the columns that are literals, with one for all rows or for each; same,
    columns that equal another. origins has the columns that are never null: the first
    origin has the values of the column, others have these and perhaps more. unique
    are columns that tell the rows apart.
    """

    values: dict[str, list[exp.Expr]] = field(default_factory=dict[str, list[exp.Expr]])
    same: dict[str, str] = field(default_factory=dict[str, str])
    origins: dict[str, list[Origin]] = field(default_factory=dict[str, list[Origin]])
    unique: frozenset[str] | None = None
    least: float = 0
    most: float = inf

    @property
    def single(self) -> bool:
        """Whether there is exactly one row."""
        return self.least == self.most == 1

    def constant(self, name: str) -> exp.Expr | None:
        """Return the value of a column that is the same in all rows."""
        values = self.values.get(name, [])
        return values[0] if len(set(values)) == 1 else None


# The facts of sources of a select by name, or of the branches of a union.
Known = dict[str, Facts]
LEFT, RIGHT = "left", "right"


def queries(tree: exp.Expr) -> Iterator[tuple[exp.Expr, Known]]:
    """Return the selects and unions of a statement, with the facts of what they read.

    They come after what they read, and may be changed when they come.
    """
    facts: dict[int, Facts] = {}
    for scope in traverse_scope(tree):
        node = scope.expression
        if isinstance(node, exp.Select):
            known = {
                name: facts.get(id(source.expression), Facts())
                for name, (_, source) in scope.selected_sources.items()
                if isinstance(source, Scope)
            }
            yield node, known
            facts[id(node)] = of_select(node, known)
        elif isinstance(node, exp.Union):
            names = list(zip(names_of(node.left), names_of(node.right), strict=True))
            known = {LEFT: facts[id(node.left)], RIGHT: facts[id(node.right)]}
            yield node, known
            facts[id(node)] = _of_union(node, names, known[LEFT], known[RIGHT])


def names_of(query: exp.Expr) -> list[str]:
    """Return the names of the columns of a query."""
    return list(query.named_selects) if isinstance(query, exp.Query) else []


def joins_of(select: exp.Expr) -> list[exp.Join]:
    """Return the joins of a select."""
    return list(select.args.get("joins") or [])


def columns_of(node: exp.Expr, source: str) -> list[exp.Column]:
    """Return the columns of a source that a select, or a part of it, names."""
    return [column for column in node.find_all(exp.Column) if column.table == source]


def equal_columns(join: exp.Join) -> dict[str, exp.Column]:
    """Return the columns that a join compares its own with, by the names of these."""
    equal: dict[str, exp.Column] = {}
    for part in conjuncts(join.args.get("on")):
        sides = [part.this, part.args.get("expression")]
        for own, other in (sides, sides[::-1]) if isinstance(part, exp.EQ) else ():
            if not isinstance(own, exp.Column) or not isinstance(other, exp.Column):
                continue
            if own.table == join.alias_or_name != other.table:
                equal[own.name] = other
    return equal


def of_select(select: exp.Select, known: Known) -> Facts:
    """Return what holds for a select."""
    facts, names = Facts(), dict[exp.Expr, str]()
    joins, source = joins_of(select), select.args.get("from_")
    outer = {join.alias_or_name for join in joins if join.side}
    read = {
        part.alias_or_name: known.get(part.alias_or_name, Facts())
        for part in [*([source] if source else []), *joins]
    }
    inner = {name: fact for name, fact in read.items() if name not in outer}
    conditions = conjuncts(
        *(join.args.get("on") for join in joins if not join.side),
        *(c.this for name in ("where", "having") if (c := select.args.get(name))),
    )
    for item in select.expressions:
        name, value = item.alias_or_name, item.unalias()
        if is_constant(value):
            facts.values[name] = [value]
        if value in names:
            facts.same[name] = names[value]
        names.setdefault(value, name)
        if (origins := _origins(value, inner)) is not None:
            is_whole = origins and not conditions and len(outer) == len(joins)
            own = [] if is_whole else [(id(select), value.sql())]
            facts.origins[name] = [*own, *origins]
    group, distinct = select.args.get("group"), select.args.get("distinct")
    if not group and any(
        not isinstance(node.parent, exp.Window)
        for item in select.expressions
        for node in item.find_all(exp.AggFunc)
    ):
        facts.least = facts.most = 1
    elif any(map(never, conditions)) or any(fact.most == 0 for fact in inner.values()):
        facts.most = 0
    else:
        is_fixed = distinct and len(facts.values) == len(select.expressions)
        facts.most = 1 if is_fixed else prod(max(f.most, 1) for f in read.values())
        if not conditions:
            facts.least = prod(fact.least for fact in inner.values())
            facts.least = min(facts.least, 1) if group or distinct else facts.least
    keys: list[exp.Expr] = group.expressions if group else []
    if source and not group:
        first = source.alias_or_name
        keys = [exp.column(key, first) for key in read[first].unique or ()]
        for join in joins:
            unique = read[join.alias_or_name].unique
            keys = (
                keys if unique is not None and unique <= {*equal_columns(join)} else []
            )
    if facts.most <= 1:
        facts.unique = frozenset()
    elif distinct:
        facts.unique = frozenset(names.values()) - facts.values.keys()
    elif keys and all(key in names for key in keys):
        facts.unique = frozenset(names[key] for key in keys)
    return facts


def _origins(value: exp.Expr, known: Known) -> list[Origin] | None:
    """Return the origins of a value that is never null, or None."""
    if isinstance(value, exp.Column) and value.table in known:
        return known[value.table].origins.get(value.name)
    if isinstance(value, exp.Coalesce):
        last = [_origins(item, known) for item in value.expressions]
        return None if all(item is None for item in last) else []
    if isinstance(value, exp.Cast) and isinstance(column := value.this, exp.Column):
        is_given = column.table.startswith("given_")
        return [] if is_given and column.name in _CHECKED else None
    return [] if is_constant(value) and not is_null(value) else None


def _of_union(
    union: exp.Union, names: list[tuple[str, str]], left: Facts, right: Facts
) -> Facts:
    """Return what holds for a union; without rows, a branch is left out."""
    if left.most == 0 or right.most == 0:
        return right if left.most == 0 else left
    facts = Facts(least=max(left.least, right.least), most=left.most + right.most)
    for name, other in names:
        if name in left.values and other in right.values:
            values = facts.values[name] = left.values[name] + right.values[other]
            if len(values) == len(set(values)) == facts.most and not facts.unique:
                facts.unique = frozenset({name})
        if name == other and name in left.same and left.same == right.same:
            facts.same[name] = left.same[name]
        if name in left.origins and other in right.origins:
            common = [o for o in left.origins[name] if o in right.origins[other]]
            facts.origins[name] = [(id(union), name), *common]
    return facts
