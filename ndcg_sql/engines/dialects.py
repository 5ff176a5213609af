"""The dialects that scripts are emitted in."""

from ndcg_sql.engines import (
    bigquery,
    clickhouse,
    duckdb_engine,
    postgres,
    snowflake,
    spark,
)
from ndcg_sql.engines.engine import Engine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, nearest, quoted

ENGINES = {
    "duckdb": duckdb_engine.ENGINE,
    "postgres": postgres.ENGINE,
    "clickhouse": clickhouse.ENGINE,
    "spark": spark.ENGINE,
    "bigquery": bigquery.ENGINE,
    "snowflake": snowflake.ENGINE,
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
