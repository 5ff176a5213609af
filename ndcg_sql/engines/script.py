"""One readable script: the views that some measures need, over a user's tables."""

import re
import textwrap
from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from ndcg_sql.database import sql_files, views
from ndcg_sql.engines.dialects import engine_of
from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.pruning import empty, pruned
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import quoted, sql_text

_PUBLIC = ("query_values", "run_values")
_STORED = {
    name: f"computed_{name}" for name in ("run_queries", "evaluations", "hits")
} | {"stored_values": "computed_values", "stored_run_values": "computed_run_values"}
_INPUTS = ("rankings", "judgments", "judgment_sets", "runs", "positions")
_SCHEMES = ("linear", "exp", "binary")
# Above it, 2^grade cannot be summed.
_HIGHEST_EXPONENT = 996
_DEEPEST = 10_000
_TEXT = (
    *("measure", "family", "summary", "dcg_kind", "gains", "ideal", "tie_rule"),
    *("norm", "no_rel", "missing"),
)
_TRUTH = ("judged_only", "relative", "normalize")


def script(
    dialect: str, measures: Sequence[Measure], tables: Tables, schema: str = "ndcg_sql"
) -> str:
    """Return the script that evaluates measures over a user's tables.

    Raises NdcgSqlError if the dialect is not known or a measure cannot be emitted.
    """
    engine = engine_of(dialect)
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", schema):
        raise NdcgSqlError(f"--schema {quoted(schema)}: write letters, digits and _")
    _check_measures(engine, measures)
    trees = _closure(measures, tables)
    lines = [
        "-- " + ", ".join(measure.name for measure in measures),
        f"-- Results: {schema}.query_values and {schema}.run_values.",
        "-- Remove all: " + engine.remove.format(schema=schema),
    ]
    parts = ["\n".join(lines), *engine.begin]
    parts += _checks(engine, measures, tables)
    parts.append(engine.schema.format(schema=schema))
    names = set(trees)
    for name, (tree, comment) in trees.items():
        for table in tree.find_all(exp.Table):
            if table.name in names and not _is_local(table, tree):
                table.set("db", exp.to_identifier(schema))
        select = _written(engine, tree)
        full_name = f"{schema}.{name}"
        parts.append(_as_comment(comment) + engine.statement(name, full_name, select))
    return "\n\n".join([*parts, *engine.end]) + "\n"


def _check_measures(engine: Engine, measures: Sequence[Measure]) -> None:
    """Raise NdcgSqlError for a measure that cannot be emitted."""
    for measure in measures:
        if measure.family.name in engine.refused:
            raise NdcgSqlError(
                f"measure {quoted(measure.name)}: {engine.dialect} cannot run it yet;"
                " omit it, or use duckdb"
            )
        gains = measure.parameters.get("gains")
        if isinstance(gains, str) and gains not in _SCHEMES:
            raise NdcgSqlError(
                f"measure {quoted(measure.name)}: its gain scheme is in a warehouse;"
                " write a map of gains, such as gains={1:3.5,2:9}"
            )
        if "cutoff" in measure.family.required and (measure.cutoff or 0) > _DEEPEST:
            raise NdcgSqlError(
                f"measure {quoted(measure.name)}: a script takes cutoffs up to"
                f" {_DEEPEST} for {measure.family.name}"
            )


def _parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB without the comment that it opens with."""
    return sqlglot.parse_one(re.sub(r"\A(--.*\n)+", "", select), read="duckdb")


def _written(engine: Engine, tree: exp.Expr) -> str:
    """Return a tree in the dialect of an engine."""
    return engine.rewritten(tree).sql(
        engine.dialect,
        pretty=True,
        indent=4,
        pad=4,
        max_text_width=60,
        normalize_functions="lower",
        unsupported_level=sqlglot.ErrorLevel.RAISE,
    )


def _as_comment(text: str) -> str:
    """Return a text as lines of comment."""
    return "".join(f"-- {line}\n" for line in textwrap.wrap(text, 77))


def _is_local(table: exp.Expr, tree: exp.Expr) -> bool:
    """Return whether a table is an expression of the select or the user's own."""
    local = {cte.alias for cte in tree.find_all(exp.CTE)}
    return table.name in local or table.alias.startswith("given_")


def _source(name: str, measures: Sequence[Measure], tables: Tables) -> str:
    """Return the select of a relation before anything is left out of it."""
    if name == "family_values":
        return views.union_of({measure.family.name for measure in measures})
    if name in _INPUTS:
        placed = name == "rankings" and tables.placed
        return sql_files.read(f"emit/{'placed_' if placed else ''}{name}")
    known = views.computing()
    return known[_STORED.get(name, name)].select


def _closure(
    measures: Sequence[Measure], tables: Tables
) -> dict[str, tuple[exp.Expr, str]]:
    """Return the trees and comments of all relations, in order of creation."""
    without = empty(measures)
    found: dict[str, tuple[exp.Expr, str]] = {}

    def add(name: str) -> None:
        if name in found or name in ("measures", "gains"):
            return
        text = _source(name, measures, tables)
        tree = pruned(_STORED.get(name, name), _parsed(text), without)
        tables.inserted(tree)
        for table in sorted(tree.find_all(exp.Table), key=lambda table: table.name):
            if not _is_local(table, tree):
                add(table.name)
        comment = sql_files.opening_comment(text)
        comment = re.sub(r" The table \w+ stores .*", "", comment)
        if name == "family_values":
            comment = "One row is the value of a measure for a judged query."
        found[name] = (tree, comment)

    for name in _PUBLIC:
        add(name)
    first: dict[str, tuple[exp.Expr, str]] = {}
    read = {
        table.name for tree, _ in found.values() for table in tree.find_all(exp.Table)
    }
    first["measures"] = (_measures(measures, found), "The measures.")
    if "gains" in read:
        first["gains"] = (_gains(measures), "The maps of gains of measures.")
    return first | found


def _measures(
    measures: Sequence[Measure], found: dict[str, tuple[exp.Expr, str]]
) -> exp.Expr:
    """Return the select of the measures, with the columns that are read."""
    read = {
        column.name
        for tree, _ in found.values()
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
    return _parsed(" union all ".join(selects))


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
    return _parsed(" union all ".join(selects) or none)


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


def _checks(engine: Engine, measures: Sequence[Measure], tables: Tables) -> list[str]:
    """Return the statements that fail if the user's tables have bad rows."""
    prefix = "placed_" if tables.placed else ""
    names = [f"{prefix}rankings_nulls", "rankings_duplicates"]
    names += ["placed_rankings_positions"] if tables.placed else []
    names += ["judgments_nulls", "judgments_duplicates"]
    texts = [sql_files.read(f"emit/checks/{name}") for name in names]
    limits = [
        float(str(measure.parameters["max_rel"]))
        for measure in measures
        if measure.family.name in ("ERR", "nERR")
    ]
    if any(
        "exp" in (m.parameters.get("gains"), str(m.parameters.get("dcg"))[:3])
        for m in measures
    ):
        limits.append(_HIGHEST_EXPONENT)
    if limits:
        above = sql_files.read("emit/checks/judgments_above")
        texts.append(above.replace("$highest", repr(min(limits))))
    found: list[str] = []
    for text in texts:
        tree = _parsed(text)
        tables.inserted(tree)
        message = sql_text(sql_files.opening_comment(text))
        select = textwrap.indent(_written(engine, tree), "    ")
        found.append(engine.check.format(select=select, message=message))
    return found
