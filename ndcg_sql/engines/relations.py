"""The relations of a script: the views that some measures need, pruned."""

import re
from collections.abc import Collection, Mapping, Sequence

import sqlglot
from sqlglot import exp

from ndcg_sql.database import chain, sql_files, views
from ndcg_sql.engines import sources
from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.folding import optimized
from ndcg_sql.engines.rules import rewritten
from ndcg_sql.engines.statement import names_of, parts, plain, qualified, statement
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.names import Measure

# Columns of public relations that say nothing in a script: there is one dataset and
# one judgment set, runs have no numbers, and weights and other names are not known.
_ABSENT = (
    *("dataset", "judgment_set", "judgment_set_id", "trec_eval_name", "run_id"),
    "retrieved",
    *("weighted_value", "weighted_n", "weighted_difference"),
    *("baseline_run_id", "candidate_run_id"),
)
# The types of columns that are null in a branch of a union, if not double.
_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("found", "judged", "pooled", "not_relevant"), "bigint"),
    **dict.fromkeys(("doc_id", "subtopic", "attribute", "slice"), "varchar"),
}


def relations(
    engine: Engine,
    measures: Sequence[Measure],
    tables: Tables,
    wanted: Sequence[str],
    baseline: str | None = None,
    kept: Mapping[str, Sequence[str]] | None = None,
    columns: Collection[str] = (),
) -> dict[str, exp.Expr]:
    """Return the selects of all relations of a script by name, in order of creation.

    They read one another without a schema, and the user's tables. With a baseline,
    other runs are compared with it. wanted are the relations to make, with all columns
    or some; kept are relations that are there already, with their columns.
    """
    texts, empty = sources.selects(measures, tables, baseline, wanted)
    texts = {name: text for name, text in texts.items() if name not in (kept or {})}
    texts["results"] = "from " + " join ".join(wanted)
    trees: dict[str, exp.Expr] = {}
    # What reads itself is written as it is.
    recursive: dict[str, exp.Expr] = {}
    read: dict[str, Sequence[str]] = dict(kept or {})
    needed = chain.parts("results", texts, empty)
    del needed["results"]
    for name, select in needed.items():
        tree = parsed(select)
        tables.without_run(tree)
        tree = qualified(portable(tree, engine), read)
        if isinstance(tree, exp.Select) and name in sources.RESULTS:
            shown = [i for i in tree.expressions if i.alias_or_name not in _ABSENT]
            tree.set("expressions", shown)
        inside = tree.args.get("with_")
        (recursive if inside and inside.recursive else trees)[name] = tree
        read[name] = names_of(tree)
    shown_columns = {name: list(columns) or names_of(trees[name]) for name in wanted}
    for column in (c for tree in recursive.values() for c in tree.find_all(exp.Column)):
        if column.table in trees and column.name in read[column.table]:
            names = shown_columns.setdefault(column.table, [])
            names += [column.name] if column.name not in names else []
    whole = optimized(statement(trees, shown_columns))
    left = parts(whole, shown_columns, engine.repeats)
    for name, tree in recursive.items():
        if any(name in _tables_of(reader) for reader in left.values()):
            plain(tree)
            last = max(i for i, one in enumerate(left) if one in _tables_of(tree))
            every = list(left.items())
            left = dict([*every[: last + 1], (name, tree), *every[last + 1 :]])
    for tree in left.values():
        tables.insert(tree)
    return left


def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB."""
    return sqlglot.parse_one(select, read="duckdb")


def is_local(table: exp.Expr, tree: exp.Expr) -> bool:
    """Return whether a table is an expression of the select or the user's own."""
    local = {cte.alias for cte in tree.find_all(exp.CTE)}
    is_users = table.alias_or_name.startswith("given_")
    return is_users or table.name in local


def _tables_of(tree: exp.Expr) -> set[str]:
    """Return the names of the tables that a tree reads."""
    return {table.name for table in tree.find_all(exp.Table)}


def portable(tree: exp.Expr, engine: Engine) -> exp.Expr:
    """Write what other engines lack in another way."""
    for node in list(tree.walk()):
        name = node.name if isinstance(node, exp.Anonymous) else ""
        if name == "sum_in_order":
            value, place = node.expressions
            order = exp.Order(this=value, expressions=[exp.Ordered(this=place)])
            node.replace(exp.Sum(this=order))
        elif name in views.WRITTEN_OUT:
            node.replace(_written_out(name, node.expressions))
        elif isinstance(node, exp.Alias) and node.this == exp.null():
            kind = _TYPES.get(node.alias, "double")
            node.set("this", exp.cast(node.this, kind, dialect="duckdb"))
        # Runs have no numbers, but names.
        elif isinstance(node, (exp.Alias, exp.EQ, exp.NEQ)):
            about = node.alias if isinstance(node, exp.Alias) else node.this.name
            for literal in list(node.find_all(exp.Literal)):
                if about == "list_id" and literal.name == "0" and not literal.is_string:
                    literal.replace(exp.Literal.string(""))
    return rewritten(tree, engine.first)


def _written_out(name: str, values: Sequence[exp.Expr]) -> exp.Expr:
    """Return what a macro does, written out."""
    names, body = views.WRITTEN_OUT[name]
    arguments = dict(zip(names, values, strict=True))
    tree = parsed(f"select {body}").expressions[0]
    for column in list(tree.find_all(exp.Column)):
        column.replace(arguments[column.name].copy())
    return tree


def about(name: str) -> str:
    """Return what a row of a relation is, in a few words."""
    view = views.computing().get(sources.COMPUTED.get(name, name))
    text = view.comment if view else ""
    if f"emit/{name}" in sql_files.names("emit"):
        text = sql_files.opening_comment(sql_files.read(f"emit/{name}"))
    words = re.split(r"[.:;(,] ?", text.removeprefix("One row is "), maxsplit=1)[0]
    return words[:1].upper() + words[1:]
