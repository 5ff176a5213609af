-- One row is a name that ndcg-sql needs but something else already has: the
-- schema store, or a public relation.
select schemas.schema_name as name
from duckdb_schemas() as schemas
where schemas.database_name = current_database() and schemas.schema_name = 'store'
union all
select tables.table_name as name
from duckdb_tables() as tables
where
    tables.database_name = current_database()
    and tables.schema_name = 'main'
    and list_contains($names, tables.table_name)
union all
select views.view_name as name
from duckdb_views() as views
where
    views.database_name = current_database()
    and views.schema_name = 'main'
    and list_contains($names, views.view_name)
order by name
