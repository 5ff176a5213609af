"""The relations of a script: the views that some measures need, pruned."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import sqlglot
from sqlglot import exp

from ndcg_sql.database import sql_files, views
from ndcg_sql.engines.engine import GREEDY
from ndcg_sql.engines.optimizing import optimized
from ndcg_sql.engines.statement import names_of, parts, plain, qualified, statement
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import sql_text

# Nothing is stored in a script, and no measure is one of runs as wholes.
_INSTEAD = {
    name: f"computed_{name}" for name in ("run_queries", "evaluations", "hits")
} | {"stored_values": "computed_values"}
_INPUTS = (
    *("rankings", "judgments", "judgment_sets", "runs", "positions", "queries"),
    *("query_attributes", "known_documents", "fitting_measures"),
    *("external_evaluations", "subtopic_judgments"),
    *("stored_run_values", "stored_weighted_values", "run_family_values"),
)
# No script knows weights, or the names of measures in other tools.
_ABSENT = frozenset(
    {"trec_eval_name", "weighted_value", "weighted_n", "weighted_difference"}
)
_SHARED = "Rows that several of the next relations read."
_TEXT = (
    *("measure", "family", "summary", "dcg_kind", "gains", "ideal", "tie_rule"),
    *("known", "norm", "no_rel", "missing"),
)
_TRUTH = ("judged_only", "relative", "normalize")


@dataclass(frozen=True)
class Relation:
    """A relation of a script: the tree of its select, and its comment."""

    tree: exp.Expr
    comment: str


def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB without the comment that it opens with.

    It groups by the columns that "group by all" stands for.
    """
    tree = sqlglot.parse_one(re.sub(r"\A(--.*\n)+", "", select), read="duckdb")
    for group in tree.find_all(exp.Group):
        if group.args.get("all") and isinstance(group.parent, exp.Select):
            items = (item.unalias() for item in group.parent.expressions)
            keys = [item.copy() for item in items if not item.find(exp.AggFunc)]
            group.replace(exp.Group(expressions=keys))
    return tree


def relations(
    measures: Sequence[Measure],
    tables: Tables,
    baseline: str | None = None,
    wanted: Sequence[str] = (),
    kept: Collection[str] = (),
    columns: Collection[str] = (),
) -> dict[str, Relation]:
    """Return all relations of a script by name, in order of creation.

    They read one another without a schema, and the user's tables. With a baseline,
    other runs are compared with it. wanted are the relations to make, if not all
    results, with all columns or some; kept are relations that are there already, and
    are not made.
    """
    trees: dict[str, exp.Expr] = {}
    # What reads itself is written as it is.
    recursive: dict[str, exp.Expr] = {}
    comments = {"measures": "The measures.", "gains": "The maps of gains of measures."}
    public = wanted or results(tables, baseline)
    columns_of_measures = {"measure", "family", "summary"}.union(
        *(m.row for m in measures)
    )
    read = {
        "measures": [*columns_of_measures],
        "gains": ["gain_scheme", "grade", "gain"],
    }
    for name in kept:
        read[name] = names_of(parsed(_source(name, measures, tables)))

    def add(name: str) -> None:
        if name in comments or name in kept:
            return
        text = _source(name, measures, tables)
        tree = parsed(text)
        tables.without_run(tree)
        if name == "compared_values" and isinstance(tree, exp.Select):
            run = exp.column("run", "baseline_values")
            tree.where(run.eq(exp.Literal.string(str(baseline))), copy=False)
        if name in public and name in views.public() and name not in _INPUTS:
            _publish(tree, parsed(views.public()[name].select))
        for table in sorted(tree.find_all(exp.Table), key=lambda table: table.name):
            if not is_local(table, tree):
                add(table.name)
        inside = tree.args.get("with_")
        is_recursive = inside is not None and inside.recursive
        (recursive if is_recursive else trees)[name] = qualified(tree, read)
        read[name] = names_of(tree)
        comments[name] = _comment(name, text)

    for name in public:
        add(name)
    first = {"measures": _measures(measures, trees), "gains": _gains(measures)}
    shown = {name: list(columns) or names_of(trees[name]) for name in public}
    for tree in recursive.values():
        for column in tree.find_all(exp.Column):
            if column.table in trees and column.name in read[column.table]:
                names = shown.setdefault(column.table, [])
                names += [column.name] if column.name not in names else []
    left = parts(optimized(statement(first | trees, shown)), comments)
    for name, tree in recursive.items():
        plain(tree)
        left = _placed(left, name, tree)
    names = {column for tree in left.values() for column in names_of(tree)}
    for tree in left.values():
        tables.inserted(tree)
    return {
        name: Relation(tree, _about(comments.get(name, _SHARED), names | left.keys()))
        for name, tree in left.items()
    }


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


def _source(name: str, measures: Sequence[Measure], tables: Tables) -> str:
    """Return the select of a relation before anything is left out of it."""
    if name == "family_values":
        return views.union_of({measure.family.name for measure in measures})
    if name == "query_attributes":
        text = sql_files.read("emit/query_attributes")
        selects = [
            text.replace("$attribute", sql_text(column.strip('"'))).replace(
                "given_queries.attribute_value", f"given_queries.{_quoted(column)}"
            )
            for column in tables.slices
        ]
        none = text.replace("$attribute", "''") + "where false"
        return " union all ".join(selects) or none
    is_greedy = any(measure.family.name in GREEDY for measure in measures)
    if name in _INPUTS or (name == "greedy_rankings" and not is_greedy):
        placed = name == "rankings" and tables.placed
        highest = name == "judgments" and tables.of_subtopics
        prefix = "placed_" if placed else "highest_" if highest else ""
        return sql_files.read(f"emit/{prefix}{name}")
    behind = views.computing().get(_INSTEAD.get(name, name))
    if behind:
        return behind.select
    return views.public()[name].select.replace(f"{views.STORE}.", "")


def _quoted(column: str) -> str:
    """Return the name of a column of the user's, quoted if it is not a plain word."""
    if re.fullmatch(r'[A-Za-z_]\w*|"[^"]+"', column):
        return column
    return '"' + column.replace('"', '""') + '"'


def _publish(tree: exp.Expr, public: exp.Expr) -> None:
    """Give a relation for users the columns of the public relation of its name."""
    values = {item.alias_or_name: item.unalias() for item in tree.expressions}
    shown: list[exp.Expr] = []
    for item in public.expressions:
        if item.alias_or_name in _ABSENT:
            continue
        value = exp.Paren(this=item.unalias().copy())
        for column in list(value.find_all(exp.Column)):
            column.replace(values.get(column.name, column).copy())
        new = value.this
        same = isinstance(new, exp.Column) and new.name == item.alias_or_name
        shown.append(new if same else exp.alias_(new, item.alias_or_name))
    tree.set("expressions", shown)


def _comment(name: str, text: str) -> str:
    """Return the comment of a relation."""
    if name == "family_values":
        return "One row is the value of a measure for a judged query."
    comment = sql_files.opening_comment(text)
    return re.sub(r" The table \w+ stores .*", "", comment)


def _about(comment: str, names: set[str]) -> str:
    """Return a comment up to where it tells of relations and columns left out."""

    def is_made(text: str) -> bool:
        return all(word in names for word in re.findall(r"\w+_\w+", text))

    comment = re.sub(
        r" \(see (\w+)\)", lambda m: m[0] if m[1] in names else "", comment
    )
    first, *more = re.split(r"(?<=[.]) (?=[A-Za-z])", comment)
    return " ".join([first, *takewhile(is_made, more)])


def _measures(measures: Sequence[Measure], trees: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the select of the measures, with the columns that are read."""
    read = {
        column.name
        for tree in trees.values()
        for column in tree.find_all(exp.Column)
        if column.table == "measures"
    }
    selects: list[str] = []
    for measure in measures:
        shown: list[str] = []
        # All measures have the same columns.
        for column in ("measure", "family", "summary", *sorted(read)):
            item = f"{_literal(column, measure.row.get(column))} as {column}"
            if item not in shown:
                shown.append(item)
        selects.append("select " + ", ".join(shown))
    return parsed(" union all ".join(selects))


def _gains(measures: Sequence[Measure]) -> exp.Expr:
    """Return the select of the maps of gains."""
    rows = dict.fromkeys(row for measure in measures for row in measure.gain_rows)
    selects = [
        f"select {sql_text(scheme)} as gain_scheme,"
        f" cast({grade!r} as double) as grade, cast({gain!r} as double) as gain"
        for scheme, grade, gain in rows
    ]
    none = "select '' as gain_scheme, cast(0 as double) as grade,"
    none += " cast(0 as double) as gain where false"
    return parsed(" union all ".join(selects) or none)


def _literal(column: str, value: float | str | bool | None) -> str:
    """Return a parameter of a measure as SQL, with its type."""
    kind = "varchar" if column in _TEXT else "double"
    kind = "boolean" if column in _TRUTH else kind
    text = "null" if value is None else repr(value)
    if isinstance(value, str):
        text = sql_text(value)
    elif isinstance(value, bool):
        text = str(value).lower()
    return f"cast({text} as {kind})"
