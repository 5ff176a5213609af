"""What holds for the queries of a statement before they have rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, prod

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.deciding import conjuncts, is_constant, never

# Columns of the user's tables that are never null: the checks refuse other rows.
_CHECKED = frozenset({"run", "query_id", "doc_id"})
# A query, and an expression in it.
Origin = tuple[int, str]


@dataclass
class Facts:
    """What holds for a query, which has at least and at most so many rows.

    values has the columns that are the same in all rows; same, columns that equal
    another. origins has the columns that are never null: the first origin has the
    values of the column, others have these and perhaps more.
    """

    values: dict[str, exp.Expr] = field(default_factory=dict[str, exp.Expr])
    same: dict[str, str] = field(default_factory=dict[str, str])
    origins: dict[str, list[Origin]] = field(default_factory=dict[str, list[Origin]])
    least: float = 0
    most: float = inf

    @property
    def single(self) -> bool:
        """Whether there is exactly one row."""
        return self.least == self.most == 1


# The facts of sources of a select by name, or of the branches of a union.
Known = dict[str, Facts]


def queries(tree: exp.Expr) -> Iterator[tuple[exp.Expr, Known]]:
    """Return the selects and unions of a statement, with the facts of what they read.

    They come after what they read, and may be changed when they come.
    """
    facts: dict[int, Facts] = {}
    for scope in traverse_scope(tree):
        node, sources = scope.expression, scope.selected_sources.items()
        inner = {n: s.expression for n, (_, s) in sources if isinstance(s, Scope)}
        if isinstance(node, exp.Union):
            inner = {"left": node.left, "right": node.right}
        known = {name: facts.get(id(query), Facts()) for name, query in inner.items()}
        yield node, known
        of_query = _of_union if isinstance(node, exp.Union) else of_select
        facts[id(node)] = of_query(node, known)


def names_of(query: exp.Expr) -> list[str]:
    """Return the names of the columns of a query."""
    return list(query.named_selects) if isinstance(query, exp.Query) else []


def joins_of(select: exp.Expr) -> list[exp.Join]:
    """Return the joins of a select."""
    return list(select.args.get("joins") or [])


def columns_of(node: exp.Expr, source: str) -> list[exp.Column]:
    """Return the columns of a source that a select, or a part of it, names."""
    return [column for column in node.find_all(exp.Column) if column.table == source]


def of_select(select: exp.Expr, known: Known) -> Facts:
    """Return what holds for a select."""
    facts, names = Facts(), dict[exp.Expr, str]()
    group, distinct = select.args.get("group"), select.args.get("distinct")
    joins, source = joins_of(select), select.args.get("from_")
    outer = {join.alias_or_name for join in joins if join.side}
    named = [part.alias_or_name for part in (source, *joins) if part]
    read = {name: known.get(name, Facts()) for name in named}
    inner = {name: fact for name, fact in read.items() if name not in outer}
    clauses = [c for name in ("where", "having") if (c := select.args.get(name))]
    conditions = conjuncts(
        *(join.args.get("on") for join in joins if not join.side),
        *(clause.this for clause in clauses),
    )
    for item in select.expressions:
        name, value = item.alias_or_name, item.unalias()
        if is_constant(value):
            facts.values[name] = value
        elif value in names:
            facts.same[name] = names[value]
        names.setdefault(value, name)
        if (origins := _origins(value, inner)) is not None:
            is_whole = origins and not conditions and len(outer) == len(joins)
            own = [] if is_whole else [(id(select), value.sql())]
            facts.origins[name] = [*own, *origins]
    if counts(select) and not group:
        facts.least, facts.most = 0 if select.args.get("having") else 1, 1
    elif any(map(never, conditions)) or any(fact.most == 0 for fact in inner.values()):
        facts.most = 0
    else:
        is_fixed = distinct and len(facts.values) == len(select.expressions)
        facts.most = 1 if is_fixed else prod(max(f.most, 1) for f in read.values())
        if not conditions:
            facts.least = prod(fact.least for fact in inner.values())
            facts.least = min(facts.least, 1) if group or distinct else facts.least
    return facts


def counts(select: exp.Expr) -> bool:
    """Return whether a select shows an aggregate, such as makes one row of all."""
    found = (node for item in select.expressions for node in item.find_all(exp.AggFunc))
    return any(not isinstance(node.parent, exp.Window) for node in found)


def _origins(value: exp.Expr, known: Known) -> list[Origin] | None:
    """Return the origins of a value that is never null, or None."""
    if isinstance(value, exp.Column) and value.table in known:
        return known[value.table].origins.get(value.name)
    if isinstance(value, exp.Cast) and isinstance(column := value.this, exp.Column):
        is_given = column.table.startswith("given_")
        return [] if is_given and column.name in _CHECKED else None
    return None


def _of_union(union: exp.Expr, known: Known) -> Facts:
    """Return what holds for a union; without rows, a branch is left out."""
    left, right = known["left"], known["right"]
    if left.most == 0 or right.most == 0:
        return right if left.most == 0 else left
    facts = Facts(least=max(left.least, right.least), most=left.most + right.most)
    sides = names_of(union.args["this"]), names_of(union.args["expression"])
    for name, other in zip(*sides, strict=True):
        if name in left.values and left.values[name] == right.values.get(other):
            facts.values[name] = left.values[name]
        if name == other and name in left.same and left.same == right.same:
            facts.same[name] = left.same[name]
        if name in left.origins and other in right.origins:
            common = [o for o in left.origins[name] if o in right.origins[other]]
            facts.origins[name] = [(id(union), name), *common]
    return facts
