"""The relations of a script: the views that some measures need, pruned."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from ndcg_sql.database import chain, sql_files, views
from ndcg_sql.engines.deciding import ENDLESS
from ndcg_sql.engines.engine import GREEDY, Engine, rewritten
from ndcg_sql.engines.optimizing import optimized
from ndcg_sql.engines.statement import names_of, parts, plain, qualified, statement
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import sql_name, sql_text

# Nothing is stored in a script, and no measure is one of runs as wholes.
_COMPUTED = {
    "run_queries": "computed_run_queries",
    "evaluations": "computed_evaluations",
    "hits": "computed_hits",
    "stored_values": "computed_values",
}
_RESULTS = (
    *("query_values", "run_values", "slice_values"),
    *("comparisons", "run_comparisons", "slice_comparisons"),
)
# Columns of public relations that say nothing in a script: there is one dataset and
# one judgment set, runs have no numbers, and weights and other names are not known.
_ABSENT = (
    *("dataset", "judgment_set", "judgment_set_id", "trec_eval_name", "run_id"),
    *("weighted_value", "weighted_n", "weighted_difference"),
    *("baseline_run_id", "candidate_run_id"),
)
_TEXTS = (
    *("measure", "family", "summary", "dcg_kind", "gains", "ideal", "tie_rule"),
    *("known", "norm", "no_rel", "missing", "by_attribute"),
)
_TRUTHS = ("judged_only", "relative", "normalize")
# The types of columns that are null in a branch of a union, if not double.
_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("found", "judged", "pooled", "not_relevant"), "bigint"),
    **dict.fromkeys(("doc_id", "subtopic", "attribute", "slice"), "varchar"),
}
# The values of queries are read where users find them.
_STORED = (
    "select run as run_id, 1 as judgment_set_id, query_id, measure, value,"
    " nothing_relevant from query_values"
)
_VALUE = "given_queries.attribute_value"
_COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)
_OF_STORE = re.compile(r"\bstore\.(\w+)$", re.MULTILINE)
_MEASURES = re.compile(r"inner join store.measures using \(measure\)")


@dataclass(frozen=True)
class Relation:
    """A relation of a script: the tree of its select, and its comment."""

    tree: exp.Expr
    comment: str


def relations(
    engine: Engine,
    measures: Sequence[Measure],
    tables: Tables,
    baseline: str | None = None,
    wanted: Sequence[str] = (),
    kept: Mapping[str, Sequence[str]] | None = None,
    columns: Collection[str] = (),
) -> dict[str, Relation]:
    """Return all relations of a script by name, in order of creation.

    They read one another without a schema, and the user's tables. With a baseline,
    other runs are compared with it. wanted are the relations to make, if not all
    results, with all columns or some; kept are relations that are there already, with
    their columns.
    """
    public = wanted or results(tables, baseline)
    texts, empty = _texts(measures, tables, baseline, public)
    for name in kept or ():
        texts.pop(name)
    texts["results"] = "from " + " join ".join(public)
    trees: dict[str, exp.Expr] = {}
    # What reads itself is written as it is.
    recursive: dict[str, exp.Expr] = {}
    read: dict[str, Sequence[str]] = dict(kept or {})
    for name, select in chain.parts("results", texts, empty)[:-1]:
        tree = parsed(select)
        tables.without_run(tree)
        tree = qualified(portable(tree, engine), read)
        if isinstance(tree, exp.Select) and name in _RESULTS:
            shown = [i for i in tree.expressions if i.alias_or_name not in _ABSENT]
            tree.set("expressions", shown)
        inside = tree.args.get("with_")
        is_recursive = inside is not None and inside.recursive
        (recursive if is_recursive else trees)[name] = tree
        read[name] = names_of(tree)
    shown_columns = {name: list(columns) or names_of(trees[name]) for name in public}
    for tree in recursive.values():
        for column in tree.find_all(exp.Column):
            if column.table in trees and column.name in read[column.table]:
                names = shown_columns.setdefault(column.table, [])
                names += [column.name] if column.name not in names else []
    whole = optimized(statement(trees, shown_columns))
    left = parts(whole, shown_columns, engine.repeats)
    for name, tree in recursive.items():
        plain(tree)
        left = _placed(left, name, tree)
    for tree in left.values():
        tables.inserted(tree)
    return {name: Relation(tree, _about(name)) for name, tree in left.items()}


def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB."""
    return sqlglot.parse_one(_COMMENT.sub("", select), read="duckdb")


def results(tables: Tables, baseline: str | None) -> list[str]:
    """Return the names of the relations that are for users."""
    names = ["query_values", "run_values"]
    names += ["slice_values"] if tables.slices else []
    names += ["comparisons", "run_comparisons"] if baseline is not None else []
    names += ["slice_comparisons"] if tables.slices and baseline is not None else []
    return names


def is_local(table: exp.Expr, tree: exp.Expr) -> bool:
    """Return whether a table is an expression of the select or the user's own."""
    local = {cte.alias for cte in tree.find_all(exp.CTE)}
    is_users = table.alias_or_name.startswith("given_")
    return is_users or table.name in local


def _texts(
    measures: Sequence[Measure],
    tables: Tables,
    baseline: str | None,
    public: Collection[str],
) -> tuple[dict[str, str], set[str]]:
    """Return the selects of all relations by name, and those that have no rows."""
    families = frozenset(measure.family.name for measure in measures)
    chosen = chain.texts(families, total=chain.SUM)
    computing = {name: view.select for name, view in views.computing().items()}
    texts = {name: _COMMENT.sub("", text) for name, text in computing.items()} | chosen
    texts |= {name: texts[other] for name, other in _COMPUTED.items()}
    for path in sql_files.names("emit"):
        if not path.startswith("emit/checks/"):
            texts[path.rpartition("/")[2]] = _COMMENT.sub("", sql_files.read(path))
    texts["rankings"] = texts["placed_rankings" if tables.placed else "rankings"]
    texts["judgments"] = texts[
        "highest_judgments" if tables.of_subtopics else "judgments"
    ]
    texts["query_attributes"] = _attributes(tables, texts["query_attributes"])
    if baseline is not None:
        pairs = texts["run_pairs"]
        texts["run_pairs"] = (
            f"from ({pairs}) as p where baseline = {sql_text(baseline)}"
        )
    for name in set(public) & {*_RESULTS}:
        texts[f"{name}_"] = texts.get(name, "")
        shown = _MEASURES.sub("", _COMMENT.sub("", views.public()[name].select))
        texts[name] = _OF_STORE.sub(lambda m: _behind(m[1], public), shown)
    if "query_values" in public:
        computed = texts["query_values_"].replace("stored_values", "computed_values")
        texts["query_values_"] = computed
        texts["stored_values"] = _STORED
    gains = [row for measure in measures for row in measure.gain_rows]
    kinds = ("gain_scheme", "varchar"), ("grade", "double"), ("gain", "double")
    texts["gains"] = _selects(kinds, dict.fromkeys(gains) or [("", 0, 0)])
    texts["measures"] = _measures(measures)
    unneeded = _fold(texts)
    depths = re.findall(r"\bcast\((\d+) as double\) as depth", texts["bases"])
    deepest = max((int(d) for d in depths if int(d) < ENDLESS), default=1)
    texts["positions"] = texts["positions"].replace("$deepest", str(deepest))
    if not gains:
        unneeded.add("gains")
    if not any(measure.family.name in GREEDY for measure in measures):
        unneeded.add("greedy_rankings")
    return texts, unneeded


def _behind(name: str, public: Collection[str]) -> str:
    """Return what a public relation reads; what has its name gets another one."""
    return f"{name}_ as {name}" if name in public else name


def _fold(texts: dict[str, str]) -> set[str]:
    """Write settings and bases as literals; return the relations without rows."""
    words = set(re.findall(r"\w+", " ".join(texts.values())))
    with duckdb.connect() as connection:
        rows: Any = connection.sql(
            chain.statement(chain.parts("unneeded", texts))
        ).fetchall()
        for name in ("settings", "bases"):
            relation: Any = connection.sql(chain.statement(chain.parts(name, texts)))
            kinds = [
                (column, str(kind).lower())
                for column, kind in zip(relation.columns, relation.types, strict=True)
            ]
            texts[f"{name}_"] = _selects(kinds, relation.fetchall(), words)
    for name in ("settings", "bases"):
        texts[name] = texts.pop(f"{name}_")
    texts["measures"] = "select * from settings"
    return {name for (name,) in rows if name}


def _measures(measures: Sequence[Measure]) -> str:
    """Return the select of the measures."""
    columns = dict.fromkeys(column for measure in measures for column in measure.row)
    kinds = [
        (
            column,
            "varchar"
            if column in _TEXTS
            else "boolean"
            if column in _TRUTHS
            else "double",
        )
        for column in columns
        if column not in ("higher_is_better", "reads_judgments")
    ]
    return _selects(kinds, [[m.row.get(c) for c, _ in kinds] for m in measures])


def _selects(
    kinds: Iterable[tuple[str, str]],
    rows: Iterable[Sequence[Any]],
    words: Collection[str] | None = None,
) -> str:
    """Return rows of literals as selects, of all columns or of some."""
    columns = list(kinds)
    return " union all ".join(
        "select "
        + ", ".join(
            f"{_literal(value, kind)} as {column}"
            for value, (column, kind) in zip(row, columns, strict=True)
            if words is None or column in words
        )
        for row in rows
    )


def _literal(value: Any, kind: str) -> str:
    """Return a value as SQL of its type."""
    if isinstance(value, str):
        return sql_text(value)
    text = "null" if value is None else repr(value).lower().removesuffix(".0")
    is_plain = isinstance(value, bool) or (value is not None and kind != "double")
    return text if is_plain else f"cast({text} as {kind})"


def _attributes(tables: Tables, text: str) -> str:
    """Return the select of attributes: one for each column of queries that is named."""
    names = [column.strip('"') for column in tables.slices]
    selects = [
        text.replace("$attribute", sql_text(name)).replace(
            _VALUE, f"given_queries.{sql_name(name)} "
        )
        for name in names or ["query_id"]
    ]
    return "\nunion all\n".join(selects) + ("" if names else "where false")


def portable(tree: exp.Expr, engine: Engine) -> exp.Expr:
    """Write what other engines lack in another way."""
    for node in list(tree.walk()):
        name = node.name if isinstance(node, exp.Anonymous) else ""
        if name == "sum_in_order":
            value, place = node.expressions
            order = exp.Order(this=value, expressions=[exp.Ordered(this=place)])
            node.replace(exp.Sum(this=order))
        elif name == "discount_at":
            node.replace(_discount(*node.expressions))
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


def _discount(place: exp.Expr, kind: exp.Expr, base: exp.Expr) -> exp.Expr:
    """Return what the macro discount_at does, written out."""
    arguments = {"place": place, "kind": kind, "base": base}
    tree = parsed(f"select {views.DISCOUNT}").expressions[0]
    for column in list(tree.find_all(exp.Column)):
        column.replace(arguments[column.name].copy())
    return tree


def _placed(
    trees: Mapping[str, exp.Expr], name: str, tree: exp.Expr
) -> dict[str, exp.Expr]:
    """Return trees with another one behind those that it reads, if one reads it."""
    if not any(
        t.name == name for one in trees.values() for t in one.find_all(exp.Table)
    ):
        return dict(trees)
    sources = {table.name for table in tree.find_all(exp.Table)}
    last = max(i for i, other in enumerate(trees) if other in sources)
    every = list(trees.items())
    return dict([*every[: last + 1], (name, tree), *every[last + 1 :]])


def _about(name: str) -> str:
    """Return what a row of a relation is, in a few words."""
    view = views.computing().get(_COMPUTED.get(name, name))
    text = view.comment if view else ""
    if f"emit/{name}" in sql_files.names("emit"):
        text = sql_files.opening_comment(sql_files.read(f"emit/{name}"))
    about = re.split(r"[.:;(,] ?", text.removeprefix("One row is "), maxsplit=1)[0]
    return about[:1].upper() + about[1:]
