"""The engines that scripts are emitted for: rules and statements of each."""

from sqlglot import exp

from ndcg_sql.engines import rules
from ndcg_sql.engines.clickhouse import CLICKHOUSE
from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.postgres import POSTGRES
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, nearest, quoted

# Of engines that no test runs: what to know, and why there is no greedy ideal ranking.
_UNTESTED = (
    "This script was not run on the engine: only its grammar was tested. Compare some"
    " values with those of ndcg-sql eval before you rely on it."
)
_UNTRIED = "no test runs its recursive relations"
# It decides on the last bits of a sum in order.
_IN_ORDER = frozenset({"BPM"})
# The columns that part windows and are doubles.
_FLOATS = frozenset({"rel"})


def parted(node: exp.Expr) -> exp.Expr:
    """Part windows by the text of a double, of which each has its own."""
    is_part = isinstance(node.parent, exp.Window) and node.arg_key == "partition_by"
    if is_part and isinstance(node, exp.Column) and node.name in _FLOATS:
        return rules.cast(node, "varchar")
    return node


def first_nulls(node: exp.Expr) -> exp.Expr:
    """Leave nulls where BigQuery puts them: what such windows are ordered by has none.

    It cannot place them in the window of an aggregate.
    """
    if isinstance(node, exp.Window) and isinstance(node.this, exp.AggFunc):
        for key in node.args["order"].expressions if node.args.get("order") else ():
            key.set("nulls_first", not key.args.get("desc"))
    return node


def divided(node: exp.Expr) -> exp.Expr:
    """Divide doubles: Snowflake divides integers to few digits."""
    if isinstance(node, exp.Div) and not node.args.get("typed"):
        left = node.this
        left = left.copy() if left.is_type("double") else rules.cast(left, "double")
        return exp.Div(this=left, expression=node.expression.copy(), typed=True)
    return node


_SHARED = (rules.unordered, rules.logarithm, rules.unnamed)
ENGINES = {
    "duckdb": Engine(
        "duckdb",
        rules=(rules.binary,),
        first=(),
        begin=("begin;",),
        end=("commit;",),
        fault="case when count(*) > 0 then error({message}) end",
        repeats=False,
    ),
    "postgres": POSTGRES,
    "clickhouse": CLICKHOUSE,
    # It has no order inside aggregates, and its literals are decimals.
    "spark": Engine(
        "spark",
        rules=(rules.binary, rules.unordered, rules.floating),
        table="create table {name} using parquet as\n{select};",
        fault="case when count(*) > 0 then raise_error({message}) end",
        greedy="its recursive relations end at 100 levels and 1,000,000 rows",
    ),
    # It parts no windows by floats, and its exact decimals are short.
    "bigquery": Engine(
        "bigquery",
        rules=(*_SHARED, first_nulls, rules.null_ignored, parted, rules.collated("")),
        fault="if(count(*) > 0, error({message}), null)",
        refused=_IN_ORDER,
        greedy=_UNTRIED,
        note=_UNTESTED,
    ),
    # It divides integers to six digits, and its literals are decimals.
    "snowflake": Engine(
        "snowflake",
        rules=(
            *_SHARED,
            rules.null_ignored,
            rules.floating,
            divided,
            rules.collated("utf8"),
        ),
        # The text of a message is no number: the cast fails if there is a row.
        fault="cast({message} || ': ' || nullif(count(*), 0) as integer)",
        refused=_IN_ORDER,
        greedy=_UNTRIED,
        note=_UNTESTED,
    ),
}
# What databases call themselves, too.
_OTHER_NAMES = {"postgresql": "postgres"}


def engine_of(name: str) -> Engine:
    """Return the engine of a dialect; raise NdcgSqlError if there is none."""
    name = _OTHER_NAMES.get(name, name)
    if name in ENGINES:
        return ENGINES[name]
    hint = nearest(name, ENGINES) or f"these work: {listed(ENGINES)}"
    raise NdcgSqlError(f"dialect {quoted(name)}: unknown; {hint}")
