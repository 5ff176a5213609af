"""Values of measures as DataFrames, over a user's DataFrames.

Spark parses the text of a view again wherever the view is read, so that planning
layers of views takes too long. Expressions of one statement are parsed once: each
relation becomes a DataFrame by one statement.
"""

import re
import textwrap
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ndcg_sql.engines.dialects import ENGINES
from ndcg_sql.engines.layout import written
from ndcg_sql.engines.relations import is_local, relations
from ndcg_sql.engines.script import Emission, check_trees
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Text, named, use

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Begins the names of the user's tables, and marks those of DataFrames in a statement.
_PREFIX = "given_"
_MARK = "ndcg_sql_frame_"
# What measures of all families read of the rankings, and the values, by their columns.
_SHARED = {
    "hits": (
        *("run_id", "judgment_set_id", "query_id", "doc_id", "position", "grade"),
        *("tie_first", "tie_last"),
    ),
    "run_queries": ("run_id", "query_id", "retrieved"),
}
_VALUES = {
    "stored_values": (
        *("run_id", "judgment_set_id", "measure", "query_id", "value"),
        "nothing_relevant",
    )
}


@dataclass(frozen=True)
class Values:
    """Values of measures, which Spark computes when an action asks for them.

    They have the columns of the scripts of ndcg-sql emit. run_values and slice_values
    read query_values: cache that to compute it once.
    """

    query_values: "DataFrame"
    run_values: "DataFrame"
    # None if no slices were requested.
    slice_values: "DataFrame | None"

    def save(self, folder: str) -> None:
        """Write the values of queries to a new folder of any store, as Parquet.

        ndcg-sql load values takes it. Raises NdcgSqlError if the folder exists, or
        anything fails.
        """
        columns = ("run", "query_id", "measure", "value")
        with translated():
            self.query_values.select(*columns).write.parquet(folder)


def evaluate(
    spark: "SparkSession",
    *,
    rankings: "DataFrame | str",
    judgments: "DataFrame | str",
    measures: str | Sequence[str],
    columns: Mapping[str, str] | None = None,
    run_column: str | None = None,
    queries: "DataFrame | str | None" = None,
    by: Sequence[str] = (),
) -> Values:
    """Return the values of measures for rankings, given as DataFrames or tables.

    rankings need the columns query_id, doc_id and score; judgments query_id, doc_id
    and grade. columns maps these names to others, as in {"query_id": "user_id"} or
    {"judgments.query_id": "user_id"}; "position" names given positions. run_column
    names the run; without it, all rankings are one run. by are columns of queries
    that make slices. Bad rows are looked for before anything is computed; raises
    NdcgSqlError, which names one of them.
    """
    tables = Tables(
        *("rankings", "judgments", columns or {}, run_column),
        *("queries" if queries is not None else None, tuple(by)),
    )
    text = measures if isinstance(measures, str) else " ".join(measures)
    emission = Emission("spark", parse(text), tables)
    sources = {"rankings": rankings, "judgments": judgments, "queries": queries}
    frames = {
        f"given_{kind}": _table(spark, kind, source)
        if isinstance(source, str)
        else source
        for kind, source in sources.items()
        if source is not None
    }
    with translated():
        for kind in sources:
            if f"given_{kind}" in frames:
                _check_columns(kind, frames[f"given_{kind}"], emission.tables)
        for tree, message in check_trees(emission):
            hashed = _hashed(tree)
            if not hashed or _frame(spark, frames, hashed).take(1):
                for row in _frame(spark, frames, tree).take(1):
                    raise NdcgSqlError(f"{message}: {_shown(row)}")
        return _values(spark, emission, frames)


def _values(
    spark: "SparkSession", emission: Emission, inputs: "dict[str, DataFrame]"
) -> Values:
    """Return the values of measures over the user's DataFrames.

    Positions are given once, not once for each family. Families are planned one after
    the other: together, that takes much longer.
    """
    tables = emission.tables

    def made(
        measures: Sequence[Measure],
        wanted: Sequence[str],
        frames: "Mapping[str, DataFrame]",
        kept: Mapping[str, Sequence[str]],
    ) -> "dict[str, DataFrame]":
        planned = relations(emission.engine, measures, tables, wanted, kept=kept)
        return {n: _frame(spark, frames, planned[n], planned) for n in wanted}

    shared = made(emission.measures, [*_SHARED], inputs, {})
    frames = inputs | {name: shared[name] for name in _SHARED}
    by_family: dict[str, list[Measure]] = {}
    for measure in emission.measures:
        by_family.setdefault(measure.family.name, []).append(measure)
    families = [
        made(measures, ["query_values"], frames, _SHARED)["query_values"]
        for measures in by_family.values()
    ]
    # Some families count.
    whole = [
        rows.withColumn("value", rows["value"].cast("double")) for rows in families
    ]
    query_values = reduce(lambda a, b: a.unionAll(b), whole)
    stored = query_values.selectExpr(
        *("run as run_id", "1 as judgment_set_id", "measure", "query_id", "value"),
        "nothing_relevant",
    )
    means = made(
        emission.measures,
        ["run_values", *(["slice_values"] if tables.slices else [])],
        frames | {"stored_values": stored},
        _SHARED | _VALUES,
    )
    return Values(query_values, means["run_values"], means.get("slice_values"))


def _frame(
    spark: "SparkSession",
    frames: "Mapping[str, DataFrame]",
    tree: exp.Expr,
    relations: Mapping[str, exp.Expr] | None = None,
) -> "DataFrame":
    """Return a select over relations, which read one another in their order.

    frames are the relations that are there already, and the tables of the user under
    the names given_rankings, given_judgments and given_queries.
    """
    select, reads = _marked(tree)
    expressions: list[str] = []
    for name, inner in reversed(list((relations or {}).items())):
        if name in reads and name not in frames:
            text, more = _marked(inner)
            expressions.insert(0, f"{name} as (\n{textwrap.indent(text, '    ')}\n)")
            reads |= more
    text = f"with {', '.join(expressions)}\n" if expressions else ""
    text += f"select * from (\n{select}\n)"
    # Spark takes DataFrames as names in braces.
    text = text.replace("{", "{{").replace("}", "}}")
    for name in reads & frames.keys():
        text = re.sub(rf"\b{_MARK}{name}\b", f"{{{name}}}", text)
    # It makes a view of each and drops it, and with it what the user cached of the
    # same DataFrame; a filter makes it another one.
    arguments: dict[str, Any] = {
        name: frames[name].filter("true") for name in reads & frames.keys()
    }
    return spark.sql(text.replace(_MARK, ""), **arguments)


def _marked(tree: exp.Expr) -> tuple[str, set[str]]:
    """Return a select, in which the tables that it reads are marked, and these."""
    tree = tree.copy()
    names: set[str] = set()
    for table in list(tree.find_all(exp.Table)):
        alias = table.alias_or_name
        is_of_user = alias.startswith(_PREFIX)
        if is_of_user or not is_local(table, tree):
            name = alias if is_of_user else table.name
            names.add(name)
            table.replace(exp.alias_(exp.to_table(_MARK + name), alias, table=True))
    return written(ENGINES["spark"], tree), names


def _table(spark: "SparkSession", kind: str, name: str) -> "DataFrame":
    """Return a table of the catalog."""
    from pyspark.errors import AnalysisException

    try:
        rows = spark.table(name)
        # Spark Connect looks for the table only now.
        _ = rows.columns
    except AnalysisException as error:
        raise NdcgSqlError(first_line(error), where=use(**{kind: name})) from error
    return rows


def _hashed(tree: exp.Expr) -> exp.Expr | None:
    """Return a search for duplicates by hashes; None if a tree looks for others.

    Where no hash is there twice, no row is. Hashes group in half of the time; 96 bits
    are not there twice by chance.
    """
    keys = [item.unalias() for item in tree.expressions]
    condition = tree.args.get("having")
    if not tree.args.get("group") or condition is None or condition.find(exp.Column):
        return None
    search = tree.copy()
    search.set("expressions", [exp.alias_(exp.Literal.number(1), "found")])
    hashes = [
        exp.Anonymous(this=name, expressions=[k.copy() for k in keys])
        for name in ("xxhash64", "hash")
    ]
    search.set("group", exp.Group(expressions=hashes))
    return search


def _check_columns(kind: str, rows: "DataFrame", tables: Tables) -> None:
    """Raise NdcgSqlError if a DataFrame lacks a column, or has text for a number.

    Sessions may make null of such a text.
    """
    types = {name.lower(): type_ for name, type_ in rows.dtypes}
    for name in tables.needed(kind):
        if name.lower() not in types:
            what = f"there is no column {quoted(name)}, but {listed(rows.columns)}"
            remedy = Text(
                "name one with ", named("columns"), " or ", named("run_column")
            )
            raise NdcgSqlError(what, remedy, where=named(kind))
    for name in tables.needed(kind, numbers=True):
        if types[name.lower()] == "string":
            column = f"`{name.replace('`', '``')}`"
            bad = f"{column} is not null and try_cast({column} as double) is null"
            for row in rows.filter(bad).take(1):
                what = f"column {quoted(name)} is text that is not a number: "
                raise NdcgSqlError(what + _shown(row), where=named(kind))


def _shown(row: Iterable[Any]) -> str:
    """Return a bad row as a message shows it."""
    return f"({', '.join(map(str, row))})"


@contextmanager
def translated() -> Generator[None]:
    """Make every failure of Spark inside an NdcgSqlError."""
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("py4j.", "pyspark.")):
            raise
        raise NdcgSqlError(f"Spark: {first_line(error)}") from error


def first_line(error: Exception) -> str:
    """Return what an error of Spark says, in one line."""
    cause: Any = getattr(error, "java_exception", None)
    text = cause.getMessage() if cause is not None else str(error)
    lines = [line.strip() for line in str(text).splitlines()]
    return next((line for line in lines if line), type(error).__name__)
