"""One readable script: relations over a user's tables, in the order of creation."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from ndcg_sql.database import sql_files
from ndcg_sql.engines.dialects import engine_of
from ndcg_sql.engines.engine import GREEDY, Engine
from ndcg_sql.engines.layout import WIDTH, written
from ndcg_sql.engines.relations import about, is_local, parsed, relations
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError, refusal
from ndcg_sql.measures.names import BUILT_IN_SCHEMES, Measure
from ndcg_sql.text import quoted, sql_text
from ndcg_sql.wording import use

# Above it, 2^grade cannot be summed.
_HIGHEST_EXPONENT = 996
# What measures may need that no script has.
_OF_WAREHOUSES = {
    "known": "known documents",
    "attributes": "the attributes of documents",
}
# What one select shows.
_SHOWN = "query_values"
_COLUMNS = ("run", "query_id", "value")


@dataclass(frozen=True)
class Emission:
    """What is to be emitted: measures over tables, for an engine.

    baseline is the run that all others are compared with. Raises NdcgSqlError if
    the dialect is not known or a measure cannot be emitted.
    """

    dialect: str
    measures: Sequence[Measure]
    user_tables: Tables
    schema: str = "ndcg_sql"
    baseline: str | None = None

    def __post_init__(self) -> None:
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", self.schema):
            place = use(schema=self.schema)
            raise refusal(place, "write letters, digits and _")
        if self.baseline is not None and self.user_tables.run is None:
            remedy = "name the column of runs by {run_column}"
            raise refusal("{compare}", "there is one run only", remedy)
        for measure in self.measures:
            if why := _unfit(self.engine, measure):
                raise NdcgSqlError(f"measure {quoted(measure.name)}: {why}")

    @property
    def engine(self) -> Engine:
        """The engine of the dialect."""
        return engine_of(self.dialect)

    @property
    def tables(self) -> Tables:
        """The tables as the measures read them."""
        return self.user_tables.read_by(self.measures)

    @property
    def results(self) -> list[str]:
        """The names of the relations that are for users."""
        is_compared, slices = self.baseline is not None, self.user_tables.slices
        names = ["query_values", "run_values"]
        names += ["slice_values"] if slices else []
        names += ["comparisons", "run_comparisons"] if is_compared else []
        return names + ["slice_comparisons"] * bool(slices and is_compared)


def _unfit(engine: Engine, measure: Measure) -> str | None:
    """Return why a measure cannot be emitted, and what to do, if so."""
    family, gains = measure.family, measure.parameters.get("gains")
    lacking = [what for need, what in _OF_WAREHOUSES.items() if need in family.needs]
    if family.name in engine.refused:
        return f"{engine.dialect} cannot run it yet; omit it, or use duckdb"
    if family.name in GREEDY and engine.greedy:
        why = f"{engine.dialect} builds no greedy ideal ranking: {engine.greedy}"
        return f"{why}; omit it, or use duckdb"
    if family.is_of_runs:
        return "only a warehouse has the values of a run as a whole; omit it"
    if lacking:
        return f"only a warehouse has {lacking[0]}; omit it"
    if measure.takes_known_out:
        return "only a warehouse has known documents; omit known='omit'"
    if isinstance(gains, str) and gains not in BUILT_IN_SCHEMES:
        why = "its gain scheme is in a warehouse"
        return f"{why}; write a map of gains, such as gains={{1:3.5,2:9}}"
    return None


def script(emission: Emission) -> str:
    """Return a script that checks the user's tables and creates all relations."""
    engine, schema = emission.engine, emission.schema
    names = [f"{schema}.{name}" for name in emission.results]
    listed = ", ".join(measure.name for measure in emission.measures)
    lines = [
        *textwrap.wrap(f"{listed}. Results: {', '.join(names)}.", WIDTH - 3),
        "Remove all: " + engine.remove.format(schema=schema),
        *textwrap.wrap(engine.note, WIDTH - 3),
    ]
    checks = [
        engine.check.format(
            select=textwrap.indent(written(engine, tree), "    ").strip(),
            fault=engine.fault.format(message=sql_text(why)),
            message=sql_text(why),
        )
        for tree, why in check_trees(emission)
    ]
    if engine.checks:
        checks = [engine.checks.format(checks="\n".join(checks))]
    begin = ["\n".join(engine.begin)] if engine.begin else []
    parts = [_comment(lines), *begin, *checks, engine.schema.format(schema=schema)]
    measures, tables = emission.measures, emission.tables
    made = relations(engine, measures, tables, emission.results, emission.baseline)
    before: list[str] = []
    for name, tree in made.items():
        for table in tree.find_all(exp.Table):
            if table.name in made and not is_local(table, tree):
                table.set("db", exp.to_identifier(schema))
        if engine.analyze and name == emission.results[0]:
            parts.append(engine.analyze.format(names=", ".join(before)))
        before.append(f"{schema}.{name}")
        words = about(name)
        comment = f"-- {words}.\n" if words else ""
        select = written(engine, tree)
        parts.append(comment + engine.table.format(name=before[-1], select=select))
    return "\n\n".join([*parts, *engine.end]) + "\n"


def one_select(emission: Emission) -> str:
    """Return one select of the values of a measure per query; it checks nothing."""
    engine, measures = emission.engine, emission.measures
    if len(measures) > 1:
        what = f"shows one measure, not {len(measures)}"
        raise refusal("{one_select}", what, "name one measure, or omit {one_select}")
    if emission.results != ["query_values", "run_values"]:
        what = "shows values per query alone"
        raise refusal("{one_select}", what, "omit {by} and {compare}")
    trees = relations(engine, measures, emission.tables, [_SHOWN], columns=_COLUMNS)
    shown = trees.pop(_SHOWN)
    inside = shown.args.get("with_")
    trees |= {cte.alias: cte.this for cte in inside.expressions} if inside else {}
    shown.set("with_", None)
    lines = textwrap.wrap(f"{measures[0].name}, per query. {engine.note}".strip(), 77)
    selects = ",\n".join(
        f"{name} as (\n{textwrap.indent(written(engine, tree), '    ')}\n)"
        for name, tree in trees.items()
    )
    select = f"with {selects}\n{written(engine, shown)}{engine.select_end}"
    return f"{_comment(lines)}\n\n{select}\n"


def _comment(lines: Sequence[str]) -> str:
    return "\n".join(f"-- {line}" for line in lines)


def check_trees(emission: Emission) -> list[tuple[exp.Expr, str]]:
    """Return trees of selects of bad rows, and messages."""
    tables, limits = emission.tables, _limits(emission.measures)
    placed = "placed_" if tables.placed else ""
    subtopic = "subtopic_" if tables.of_subtopics else ""
    names = {
        f"{placed}rankings_nulls": True,
        "rankings_duplicates": True,
        "placed_rankings_positions": tables.placed,
        f"{subtopic}judgments_nulls": True,
        f"{subtopic}judgments_duplicates": True,
        "queries_nulls": tables.queries,
        "queries_duplicates": tables.queries,
        "judgments_above": limits,
        "rankings_baseline": emission.baseline is not None,
    }
    trees: list[tuple[exp.Expr, str]] = []
    for name in (name for name, is_wanted in names.items() if is_wanted):
        text = sql_files.read(f"emit/checks/{name}")
        text = text.replace("$highest", repr(min(limits, default=0)))
        text = text.replace("$baseline", sql_text(emission.baseline or ""))
        tree = parsed(text)
        tables.without_run(tree)
        tables.insert(tree)
        kind, _, what = sql_files.opening_comment(text).partition(": ")
        trees.append((tree, f"{getattr(tables, kind)}: {what}"))
    return trees


def _limits(measures: Sequence[Measure]) -> list[float]:
    """Return the highest grades that measures can use, if they have one."""
    limits: list[float] = []
    for measure in measures:
        values = measure.parameters
        if measure.family.name in ("ERR", "nERR"):
            limits.append(float(str(values["max_rel"])))
        if "exp" in (values.get("gains"), str(values.get("dcg"))[:3]):
            limits.append(_HIGHEST_EXPONENT)
    return limits
