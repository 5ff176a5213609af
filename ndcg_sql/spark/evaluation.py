"""Values of measures as DataFrames, over a user's DataFrames."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from ndcg_sql.engines.relations import relations
from ndcg_sql.engines.script import Emission, check_trees
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.spark.frames import frame
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Text, named, use

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What measures of all families read of the rankings.
_SHARED = ("hits", "run_queries")


@dataclass(frozen=True)
class Values:
    """Values of measures, which Spark computes when an action asks for them.

    They have the columns of the public relations of these names, without weights and
    names of other tools. run_values and slice_values read query_values: cache that
    to compute it once.
    """

    query_values: "DataFrame"
    run_values: "DataFrame"
    # None if no slices were asked for.
    slice_values: "DataFrame | None"


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
    names = [f"{ours}={theirs}" for ours, theirs in (columns or {}).items()]
    evaluation = Evaluation.of(
        spark, rankings, judgments, measures, names, run_column, queries, by
    )
    evaluation.check()
    with translated():
        families = reduce(lambda a, b: a.unionAll(b), evaluation.families())
        return evaluation.values(families)


class Evaluation:
    """What is to be evaluated on Spark, in parts."""

    def __init__(
        self, spark: "SparkSession", emission: Emission, frames: "dict[str, DataFrame]"
    ) -> None:
        """Take the DataFrames that the tables of an emission name."""
        self._spark = spark
        self._emission = emission
        made = relations(emission.measures, emission.tables, wanted=_SHARED)
        # Positions are given once, not once for each family.
        self._frames = frames | {
            name: frame(spark, frames, made[name].tree, made) for name in _SHARED
        }

    @classmethod
    def of(
        cls,
        spark: "SparkSession",
        rankings: "DataFrame | str",
        judgments: "DataFrame | str",
        measures: str | Sequence[str],
        columns: Sequence[str] = (),
        run_column: str | None = None,
        queries: "DataFrame | str | None" = None,
        by: Sequence[str] = (),
    ) -> "Evaluation":
        """Return an evaluation of what evaluate takes; columns as query_id=user_id."""
        plan = emission(measures, columns, run_column, queries is not None, by)
        sources = {"rankings": rankings, "judgments": judgments}
        if queries is not None:
            sources["queries"] = queries
        frames: dict[str, DataFrame] = {}
        for kind, source in sources.items():
            rows = _table(spark, kind, source) if isinstance(source, str) else source
            _check_columns(kind, rows, plan.tables)
            frames[f"given_{kind}"] = rows
        return cls(spark, plan, frames)

    @property
    def measures(self) -> Sequence[Measure]:
        """The measures that are asked for."""
        return self._emission.measures

    def check(self) -> None:
        """Raise NdcgSqlError if there are bad rows; name one of them."""
        with translated():
            for kind in ("rankings", "judgments"):
                _check_numbers(kind, self._frames, self._emission.tables)
            for tree, message in check_trees(self._emission).values():
                hashed = _hashed(tree)
                if hashed and not frame(self._spark, self._frames, hashed).take(1):
                    continue
                for row in frame(self._spark, self._frames, tree).take(1):
                    raise NdcgSqlError(f"{message}: {_shown(row)}")

    def keep(self) -> None:
        """Keep what all families share on the disks of the workers."""
        from pyspark import StorageLevel

        for name in _SHARED:
            self._frames[name].persist(StorageLevel.DISK_ONLY)

    def basis(self) -> "dict[str, DataFrame]":
        """Return what the values rest on, which a warehouse takes, with names of runs.

        hits are the judged documents that were returned, run_queries the queries
        that were answered.
        """
        made = relations(self.measures, self._emission.tables, wanted=["judgments"])
        tree = made["judgments"].tree
        judgments = frame(self._spark, self._frames, tree, made)
        frames = {"judgments": judgments.drop("judgment_set_id")}
        for name in _SHARED:
            rows = self._frames[name].withColumnRenamed("run_id", "run")
            frames[name] = rows.drop("judgment_set_id", "grade")
        return frames

    @property
    def position_rule(self) -> str:
        """Whether positions are by score or given."""
        return "given" if self._emission.tables.placed else "score"

    def families(self) -> "Iterator[DataFrame]":
        """Return the values per query, family by family.

        Planning all families together takes much longer than one after the other.
        """
        by_family: dict[str, list[Measure]] = {}
        for measure in self.measures:
            by_family.setdefault(measure.family.name, []).append(measure)
        for measures in by_family.values():
            wanted = ["query_values", *_SHARED]
            made = relations(measures, self._emission.tables, wanted=wanted)
            tree = made["query_values"].tree
            values = frame(self._spark, self._frames, tree, made)
            # Some families count.
            yield values.withColumn("value", values["value"].cast("double"))

    def values(self, query_values: "DataFrame") -> Values:
        """Return values whose values per query are in a DataFrame."""
        frames = self._frames | {"stored_values": query_values}
        measures, tables = self.measures, self._emission.tables
        wanted = ["run_values", *(["slice_values"] if tables.slices else [])]
        everything = [*wanted, *_SHARED]
        made = relations(measures, tables, wanted=everything, kept=["stored_values"])
        means = [frame(self._spark, frames, made[name].tree, made) for name in wanted]
        return Values(query_values, means[0], means[1] if tables.slices else None)


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
    keys, condition = tree.args.get("group"), tree.args.get("having")
    if keys is None or condition is None or condition.find(exp.Column):
        return None
    search = tree.copy()
    search.set("expressions", [exp.alias_(exp.Literal.number(1), "found")])
    hashes = [
        exp.Anonymous(this=name, expressions=keys.copy().expressions)
        for name in ("xxhash64", "hash")
    ]
    search.set("group", exp.Group(expressions=hashes))
    return search


def emission(
    measures: str | Sequence[str],
    columns: Sequence[str] = (),
    run_column: str | None = None,
    has_queries: bool = False,
    by: Sequence[str] = (),
) -> Emission:
    """Return what is to be emitted; raise NdcgSqlError for names that are not known."""
    queries = "queries" if has_queries else None
    tables = Tables.named("rankings", "judgments", columns, run_column, queries, by)
    text = measures if isinstance(measures, str) else " ".join(measures)
    return Emission("spark", parse(text), tables)


def _check_columns(kind: str, rows: "DataFrame", tables: Tables) -> None:
    """Raise NdcgSqlError if a DataFrame lacks a column that its rows need."""
    there = {name.lower() for name in rows.columns}
    for name in tables.needed(kind):
        if name.lower() not in there:
            raise NdcgSqlError(
                f"there is no column {quoted(name)}, but {listed(rows.columns)}",
                Text("name one with ", named("columns"), " or ", named("run_column")),
                where=named(kind),
            )


def _check_numbers(
    kind: str, frames: "Mapping[str, DataFrame]", tables: Tables
) -> None:
    """Raise NdcgSqlError for text that is not a number: sessions may make it null."""
    rows = frames[f"given_{kind}"]
    types = {name.lower(): kind for name, kind in rows.dtypes}
    for name in tables.needed(kind, numbers=True):
        if types[name.lower()] == "string":
            column = f"`{name.replace('`', '``')}`"
            bad = f"{column} is not null and try_cast({column} as double) is null"
            for row in rows.filter(bad).take(1):
                raise NdcgSqlError(
                    f"column {quoted(name)} is text that is not a number:"
                    f" {_shown(row)}",
                    where=named(kind),
                )


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
