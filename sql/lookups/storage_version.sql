-- The storage version of the file: the oldest DuckDB version that can read it.
with versions as (
    select cast(databases.tags['storage_version'] as varchar) as version
    from duckdb_databases() as databases
    where databases.database_name = current_database()
)

select regexp_extract(versions.version, 'v[0-9.]+') as storage_version
from versions
