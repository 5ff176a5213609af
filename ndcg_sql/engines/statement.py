"""Relations as one statement, which sqlglot's optimizer takes, and back."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.dialects import DuckDB
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.scope import Scope, traverse_scope

# A literal with a point is a decimal in some engines: it makes nothing a double.
_TYPES: Any = {**DuckDB.EXPRESSION_METADATA, exp.Literal: {"returns": exp.DType.INT}}

# The columns of the sources of a select, if they are known.
_Sources = Mapping[str, Sequence[str] | None]


def names_of(query: exp.Expr) -> list[str]:
    """Return the names of the columns of a query."""
    return list(query.named_selects) if isinstance(query, exp.Query) else []


def joins_of(select: exp.Expr) -> list[exp.Join]:
    """Return the joins of a select."""
    return list(select.args.get("joins") or [])


def qualified(tree: exp.Expr, columns: Mapping[str, Sequence[str]]) -> exp.Expr:
    """Write out stars, using and group by all; name every item, and each source.

    columns has those of relations; of others, such as the user's tables, any may be.
    """
    for scope in traverse_scope(tree):
        select = scope.expression
        if not isinstance(select, exp.Select):
            continue
        sources: _Sources = {
            name: names_of(source.expression)
            if isinstance(source, Scope)
            else columns.get(source.name)
            for name, (_, source) in scope.selected_sources.items()
        }
        items = _expanded(select, sources, _joined(select, sources))
        for column in scope.columns if sources else ():
            if not column.table:
                source = _source_of(column.name, sources)
                column.set("table", exp.to_identifier(source))
        # What is written in the place of a column keeps its name.
        items = [
            exp.alias_(item, item.name) if isinstance(item, exp.Column) else item
            for item in items
        ]
        select.set("expressions", items)
        group = select.args.get("group")
        if group and group.args.get("all"):
            values = (item.unalias() for item in items)
            keys = [value.copy() for value in values if not value.find(exp.AggFunc)]
            select.set("group", exp.Group(expressions=keys))
    return tree


def _source_of(column: str, sources: _Sources) -> str:
    """Return the first source that has a column."""
    for name, its in sources.items():
        if its is None or column in its:
            return name
    raise LookupError(f"{column}: in none of {dict(sources)}")


def _joined(select: exp.Select, sources: _Sources) -> set[tuple[str, str]]:
    """Write using as on; return the columns that the first source has, too."""
    joined: set[tuple[str, str]] = set()
    for join in joins_of(select):
        name, keys = join.alias_or_name, join.args.get("using") or ()
        pairs = [
            exp.column(key.name, _source_of(key.name, sources)).eq(
                exp.column(key.name, name)
            )
            for key in keys
        ]
        if pairs:
            join.set("on", exp.and_(*pairs, copy=False))
            join.set("using", None)
            joined.update((name, key.name) for key in keys)
    return joined


def _expanded(
    select: exp.Select, sources: _Sources, joined: Collection[tuple[str, str]]
) -> list[exp.Expr]:
    """Return the items of a select with its stars written out."""
    items: list[exp.Expr] = []
    for item in select.expressions:
        star = item.this if isinstance(item, exp.Column) else item
        if not isinstance(star, exp.Star):
            items.append(item)
            continue
        table = item.text("table")
        left_out = {column.name for column in star.args.get("except_") or ()}
        instead = {i.alias: i.this for i in star.args.get("replace") or ()}
        items += [
            exp.alias_(instead.get(name, exp.column(name, source)).copy(), name)
            for source in ([table] if table else sources)
            for name in sources[source] or ()
            if name not in left_out and (table or (source, name) not in joined)
        ]
    return items


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


def parts(tree: exp.Expr, shown: Collection[str], repeats: bool) -> dict[str, exp.Expr]:
    """Return the relations of a statement by name, in order of creation.

    What only one of them needs is written inside it, unless it is shown, or read more
    than once by an engine that repeats it then.
    Types are noted: an engine divides what may be an integer as a double.
    """
    annotate_types(tree, dialect="duckdb", expression_metadata=_TYPES)
    plain(tree)
    relations = {cte.alias: cte.this for cte in tree.args["with_"].expressions}
    read = [table.name for table in tree.find_all(exp.Table)]
    alone = {*shown, *(n for n in relations if repeats and read.count(n) > 1)}
    owners: dict[str, set[str]] = {}
    for name in reversed(relations):
        readers = {name} if name in alone or len(owners[name]) > 1 else owners[name]
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
