-- One row is a name that ndcg-sql needs but something else already has: the
-- schema store, or a public relation.
select schemas.schema_name as name

from duckdb_schemas() as schemas

where
    schemas.database_name = current_database()
    and schemas.schema_name = 'store'

union all

select tables.table_name as name

from information_schema.tables as tables

where
    tables.table_catalog = current_database()
    and tables.table_schema = 'main'
    and list_contains($names, tables.table_name)

order by name
