"""Relations as one statement, which sqlglot's optimizer takes, and back."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects import DuckDB
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.scope import Scope, traverse_scope

# A literal with a point is a decimal in some engines: it makes nothing a double.
_TYPES: Any = {**DuckDB.EXPRESSION_METADATA, exp.Literal: {"returns": exp.DType.INT}}


def names_of(query: exp.Expr) -> list[str]:
    """Return the names of the columns of a query."""
    return list(query.named_selects) if isinstance(query, exp.Query) else []


def joins_of(select: exp.Expr) -> list[exp.Join]:
    """Return the joins of a select."""
    return list(select.args.get("joins") or [])


def qualified(tree: exp.Expr, columns: Mapping[str, Collection[str]]) -> exp.Expr:
    """Name every item and the source of every column, and write using as on.

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
            return next(n for n, its in names.items() if its is None or column in its)

        for join in joins_of(select):
            keys = [key.name for key in join.args.get("using") or ()]
            if keys:
                firsts = [exp.column(key, source_of(key, names)) for key in keys]
                seconds = [exp.column(key, join.alias_or_name) for key in keys]
                equal = [a.eq(b) for a, b in zip(firsts, seconds, strict=True)]
                join.set("on", exp.and_(*equal, copy=False))
                join.set("using", None)
        for column in scope.columns if names else ():
            if not column.table:
                source = source_of(column.name, names)
                column.set("table", exp.to_identifier(source))
        for item in select.expressions:
            # What is written in the place of a column keeps its name.
            if isinstance(item, exp.Column):
                item.replace(exp.alias_(item.copy(), item.name))
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
    Types are noted: an engine divides what may be an integer as a double.
    """
    annotate_types(tree, dialect="duckdb", expression_metadata=_TYPES)
    plain(tree)
    relations = {cte.alias: cte.this for cte in tree.args["with_"].expressions}
    owners: dict[str, set[str]] = {}
    for name in reversed(relations):
        readers = {name} if name in names or len(owners[name]) > 1 else owners[name]
        owners[name] = readers
        for table in relations[name].find_all(exp.Table):
            owners.setdefault(table.name, set()).update(readers)
    for name in list(relations):
        [owner] = owners[name]
        if owner != name:
            relations[owner] = relations[owner].with_(
                name, as_=relations.pop(name), copy=False
            )
    return relations


def plain(tree: exp.Expr) -> None:
    """Leave out the names that columns and tables have anyway, and some brackets."""
    for paren in tree.find_all(exp.Paren):
        if isinstance(paren.parent, exp.If):
            paren.replace(paren.this)
    for item in tree.find_all(exp.Alias):
        if isinstance(item.this, exp.Column) and item.this.name == item.alias:
            item.replace(item.this)
    for scope in traverse_scope(tree):
        for name, (table, _) in list(scope.selected_sources.items()):
            # Merging gives numbers to names, whose other bearers may be gone.
            is_free = table.name not in scope.selected_sources
            if name == table.name or (is_free and name.startswith(f"{table.name}_")):
                table.set("alias", None)
                for column in scope.source_columns(name):
                    column.set("table", exp.to_identifier(table.name))
