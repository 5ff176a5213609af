"""The dialects that scripts are emitted in."""

from ndcg_sql.engines import clickhouse, duckdb_engine, postgres
from ndcg_sql.engines.engine import Engine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, nearest, quoted

ENGINES = {
    "duckdb": duckdb_engine.ENGINE,
    "postgres": postgres.ENGINE,
    "clickhouse": clickhouse.ENGINE,
}
_LATER = ("spark", "databricks", "bigquery", "snowflake", "trino", "redshift")


def engine_of(name: str) -> Engine:
    """Return the engine of a dialect; raise NdcgSqlError if there is none."""
    if name in ENGINES:
        return ENGINES[name]
    works = f"these work: {listed(ENGINES)}"
    if name in _LATER:
        raise NdcgSqlError(f"dialect {quoted(name)}: not yet known; {works}")
    hint = nearest(name, ENGINES)
    raise NdcgSqlError(f"dialect {quoted(name)}: unknown; {hint or works}")
