"""Relations as one statement, which sqlglot's optimizer takes, and back."""

from collections.abc import Collection, Mapping, Sequence

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from ndcg_sql.engines.facts import joins_of, names_of


def qualified(tree: exp.Expr, columns: Mapping[str, Collection[str]]) -> exp.Expr:
    """Name the source of every column, and write using as on.

    columns has those of relations; of others, such as the user's tables, any may be.
    """
    for scope in traverse_scope(tree):
        select = scope.expression
        names: dict[str, Collection[str] | None] = {
            name: names_of(source.expression)
            if isinstance(source, Scope)
            else columns.get(source.name)
            for name, (_, source) in scope.selected_sources.items()
        }

        def source_of(column: str, names: Mapping[str, Collection[str] | None]) -> str:
            return next(n for n, own in names.items() if own is None or column in own)

        for join in joins_of(select):
            keys = [key.name for key in join.args.get("using") or ()]
            if keys:
                firsts = [exp.column(key, source_of(key, names)) for key in keys]
                own = [exp.column(key, join.alias_or_name) for key in keys]
                equal = [a.eq(b) for a, b in zip(firsts, own, strict=True)]
                join.set("on", exp.and_(*equal, copy=False))
                join.set("using", None)
        for column in scope.columns if names else ():
            if not column.table:
                source = source_of(column.name, names)
                column.set("table", exp.to_identifier(source))
    return tree


def statement(
    relations: Mapping[str, exp.Expr], shown: Mapping[str, Sequence[str]]
) -> exp.Expr:
    """Return one statement over relations, which reads the columns that are shown.

    It reads them twice, so that no rule writes a relation where it is read.
    """
    root = exp.select()
    for i, (name, columns) in enumerate([*shown.items()] * 2):
        source = exp.alias_(exp.to_table(name), f"{name}_{i}", table=True)
        root = root.join(source, join_type="cross") if i else root.from_(source)
        for column in columns:
            alias = f"column_{len(root.expressions)}"
            root = root.select(exp.alias_(exp.column(column, f"{name}_{i}"), alias))
    for name, tree in relations.items():
        root = root.with_(name, as_=tree, copy=False)
    return root


def parts(tree: exp.Expr, names: Collection[str]) -> dict[str, exp.Expr]:
    """Return the relations of a statement by name, in order of creation.

    An expression that is none of them is written inside the only one that needs it.
    """
    found = {cte.alias: cte.this for cte in tree.args["with_"].expressions}
    owners: dict[str, set[str]] = {}
    for name in reversed(found):
        own = {name} if name in names or len(owners[name]) > 1 else owners[name]
        owners[name] = own
        for table in found[name].find_all(exp.Table):
            owners.setdefault(table.name, set()).update(own)
    for name in list(found):
        [owner] = owners[name]
        if owner != name:
            found[owner] = found[owner].with_(name, as_=found.pop(name), copy=False)
    return found
