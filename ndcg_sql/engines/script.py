"""One readable script: relations over a user's tables, in the order of creation."""

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from ndcg_sql.database import sql_files
from ndcg_sql.engines.dialects import engine_of
from ndcg_sql.engines.engine import GREEDY, Engine
from ndcg_sql.engines.relations import is_local, parsed, relations, results
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import BUILT_IN_SCHEMES, Measure, parse
from ndcg_sql.requests.engines import EmitRequest
from ndcg_sql.text import quoted, sql_text
from ndcg_sql.wording import named, use

# Above it, 2^grade cannot be summed.
_HIGHEST_EXPONENT = 996
# What measures may need that no script has.
_OF_WAREHOUSES = {
    "known": "known documents",
    "attributes": "the attributes of documents",
}
# Of a line; a query may be indented once more.
_WIDTH = 100
# What one select shows.
_SHOWN = "query_values"
_COLUMNS = ("run", "query_id", "value")
_QUERY = re.compile(r"\b(SELECT|FROM)\b")
_BARE = re.compile(r" *(SELECT|FROM|WHERE|WITH)")
_CLAUSE = re.compile(r"(SELECT|FROM|((LEFT|CROSS) )?JOIN|WHERE|GROUP BY|HAVING) \S")


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

    @classmethod
    def of(cls, request: EmitRequest) -> "Emission":
        """Return what a request emits."""
        tables = Tables.named(
            request.rankings,
            request.judgments,
            request.columns,
            request.run_column,
            request.queries,
            request.by,
        )
        measures = parse(" ".join(request.measures))
        return cls(request.dialect, measures, tables, request.schema, request.compare)

    def __post_init__(self) -> None:
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", self.schema):
            raise NdcgSqlError(
                "write letters, digits and _", where=use(schema=self.schema)
            )
        if self.baseline is not None and self.user_tables.run is None:
            raise NdcgSqlError(
                "there is one run only",
                "name the column of runs by " + named("run_column"),
                where=named("compare"),
            )
        _check_measures(self.engine, self.measures)

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
        return results(self.tables, self.baseline)


def script(emission: Emission) -> str:
    """Return a script that checks the user's tables and creates all relations."""
    engine, schema = emission.engine, emission.schema
    names = [f"{schema}.{name}" for name in emission.results]
    about = ", ".join(measure.name for measure in emission.measures)
    lines = [
        *textwrap.wrap(f"{about}. Results: {', '.join(names)}.", _WIDTH - 3),
        "Remove all: " + engine.remove.format(schema=schema),
        *textwrap.wrap(engine.note, _WIDTH - 3),
    ]
    head = "\n".join(f"-- {line}" for line in lines)
    parts = [head, *statements(emission), *engine.end]
    return "\n\n".join(parts) + "\n"


def one_select(emission: Emission) -> str:
    """Return one select of the values of a measure per query; it checks nothing."""
    engine, measures = emission.engine, emission.measures
    if len(measures) > 1:
        raise NdcgSqlError(
            f"shows one measure, not {len(measures)}",
            "name one measure, or omit " + named("one_select"),
            where=named("one_select"),
        )
    if emission.results != ["query_values", "run_values"]:
        raise NdcgSqlError(
            "shows values per query alone",
            "omit " + named("by") + " and " + named("compare"),
            where=named("one_select"),
        )
    made = relations(
        engine, measures, emission.tables, wanted=[_SHOWN], columns=_COLUMNS
    )
    shown = made.pop(_SHOWN).tree
    trees = {name: relation.tree for name, relation in made.items()}
    inside = shown.args.get("with_")
    trees |= {cte.alias: cte.this for cte in inside.expressions} if inside else {}
    shown.set("with_", None)
    lines = textwrap.wrap(f"{measures[0].name}, per query. {engine.note}".strip(), 77)
    selects = ",\n".join(
        f"{name} as (\n{textwrap.indent(written(engine, tree), '    ')}\n)"
        for name, tree in trees.items()
    )
    head = "\n".join(f"-- {line}" for line in lines)
    return f"{head}\n\nwith {selects}\n{written(engine, shown)}{engine.select_end}\n"


def statements(emission: Emission) -> list[str]:
    """Return the statements of a script that belong into one transaction."""
    engine, schema = emission.engine, emission.schema
    made = relations(engine, emission.measures, emission.tables, emission.baseline)
    parts = ["\n".join(engine.begin)] if engine.begin else []
    checks_of_all = [
        engine.check.format(
            select=textwrap.indent(written(engine, tree), "    ").strip(),
            message=sql_text(why),
        )
        for tree, why in check_trees(emission)
    ]
    if engine.checks:
        checks_of_all = [engine.checks.format(checks="\n".join(checks_of_all))]
    parts += checks_of_all
    parts.append(engine.schema.format(schema=schema))
    before: list[str] = []
    for name, relation in made.items():
        for table in relation.tree.find_all(exp.Table):
            if table.name in made and not is_local(table, relation.tree):
                table.set("db", exp.to_identifier(schema))
        select = written(engine, relation.tree)
        comment = f"-- {relation.comment}.\n" if relation.comment else ""
        table = engine.table.format(name=f"{schema}.{name}", select=select)
        if engine.analyze and name == emission.results[0]:
            parts.append(engine.analyze.format(names=", ".join(before)))
        before.append(f"{schema}.{name}")
        parts.append(comment + table)
    return parts


def _check_measures(engine: Engine, measures: Sequence[Measure]) -> None:
    """Raise NdcgSqlError for a measure that cannot be emitted."""
    for measure in measures:
        if why := _unfit(engine, measure):
            raise NdcgSqlError(f"measure {quoted(measure.name)}: {why}")


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


def written(engine: Engine, tree: exp.Expr) -> str:
    """Return a tree in the dialect of an engine."""
    text = numbered(unqualified(engine.rewritten(tree))).sql(
        engine.dialect,
        pretty=True,
        indent=4,
        pad=4,
        max_text_width=60,
        normalize_functions="lower" if engine.ignores_case else False,
        comments=False,
        unsupported_level=sqlglot.ErrorLevel.RAISE,
    )
    # A literal may hold line breaks.
    literals = (node.name for node in tree.find_all(exp.Literal, exp.Identifier))
    return text if any("\n" in name for name in literals) else filled(text)


def numbered(tree: exp.Expr) -> exp.Expr:
    """Group by the numbers of items that are more than a name, and by no constant."""
    for select in tree.find_all(exp.Select):
        group = select.args.get("group")
        if group:
            values = [item.unalias() for item in select.expressions]
            keys = values if group.args.get("all") else group.expressions
            numbers = [
                key
                if (isinstance(key, exp.Column) and not key.table) or key not in values
                else exp.Literal.number(values.index(key) + 1)
                for key in keys
                if key.find(exp.Column)
            ]
            select.set("group", exp.Group(expressions=numbers))
    return tree


def unqualified(tree: exp.Expr) -> exp.Expr:
    """Name columns alone where there is one source only."""
    for scope in traverse_scope(tree):
        sources = list(scope.selected_sources.items())
        for name, (table, _) in sources if len(sources) == 1 else ():
            if not isinstance(table, exp.Table):
                continue
            for column in scope.columns:
                if column.table == name:
                    column.set("table", None)
            table.set("alias", None)
    return tree


def filled(text: str) -> str:
    """Return a query in which what fits on a line is written on one."""
    lines = re.sub(r"^( *)\), (\w+ AS \()$", r"\1),\n\1\2", text, flags=re.M).split(
        "\n"
    )
    for i in reversed(range(len(lines))):
        inside = " " * (_depth(lines[i]) + 1)
        end = i + 1
        while end < len(lines) and lines[end].startswith(inside):
            end += 1
        end += lines[i].endswith(("(", "CASE"))
        parts = [line.strip() for line in lines[i + 1 : end]]
        joined = lines[i]
        for part in parts:
            is_tight = joined.endswith("(") or part.startswith(")")
            joined += part if is_tight else f" {part}"
        is_short = len(joined) <= _WIDTH and not _QUERY.search(" ".join(parts[1:]))
        if is_short and not (
            parts and _BARE.fullmatch(lines[i]) and _QUERY.search(parts[0])
        ):
            lines[i:end] = [joined]
        elif lines[i].endswith("("):
            lines[i + 1 : end - 1] = _packed(lines[i + 1 : end - 1])
            if (
                end - i > 2
                and lines[i].endswith("AS (")
                and ")" in lines[i + 2][: _depth(lines[i]) + 2]
            ):
                whole = lines[i] + lines[i + 1].strip() + lines[i + 2].strip()
                lines[i : i + 3] = [whole] if len(whole) <= _WIDTH else lines[i : i + 3]
    return "\n".join(_packed(lines))


def _packed(lines: Sequence[str]) -> list[str]:
    """Return lines, some of which continue the one before if there is room."""
    packed: list[str] = []
    for line in lines:
        last, new = packed[-1] if packed else "", line.strip()
        is_whole = all(part.count("(") == part.count(")") for part in (last, new))
        is_near = _depth(last) == _depth(line) and len(last) + len(new) < _WIDTH
        is_open = new == "CASE" or last.strip() in ("CASE", "END")
        is_item = last.endswith(",") and not re.match(r"\)|\w+ AS \(", new)
        is_started = _CLAUSE.match(last.strip()) is not None
        is_condition = new.startswith(("OR ", "AND ")) and not is_started
        is_next = is_started if _CLAUSE.match(new) else is_item or is_condition
        if packed and is_whole and is_near and is_next and not is_open:
            packed[-1] = f"{last} {new}"
        else:
            packed.append(line)
    return re.sub(r"\bWHERE\n +", "WHERE ", "\n".join(packed)).split("\n")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def check_trees(emission: Emission) -> list[tuple[exp.Expr, str]]:
    """Return trees of selects of bad rows, and messages."""
    measures, tables = emission.measures, emission.tables
    prefix = "placed_" if tables.placed else ""
    names = [f"{prefix}rankings_nulls", "rankings_duplicates"]
    names += ["placed_rankings_positions"] if tables.placed else []
    prefix = "subtopic_" if tables.of_subtopics else ""
    names += [f"{prefix}judgments_nulls", f"{prefix}judgments_duplicates"]
    names += ["queries_nulls", "queries_duplicates"] if tables.queries else []
    values: dict[str, str] = {}
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
        names.append("judgments_above")
        values["$highest"] = repr(min(limits))
    if emission.baseline is not None:
        names.append("rankings_baseline")
        values["$baseline"] = sql_text(emission.baseline)
    trees: list[tuple[exp.Expr, str]] = []
    for name in names:
        text = sql_files.read(f"emit/checks/{name}")
        for parameter, value in values.items():
            text = text.replace(parameter, value)
        tree = parsed(text)
        tables.without_run(tree)
        tables.inserted(tree)
        kind, _, about = sql_files.opening_comment(text).partition(": ")
        trees.append((tree, f"{getattr(tables, kind)}: {about}"))
    return trees
