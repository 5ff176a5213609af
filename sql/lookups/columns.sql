-- One row is a column of a relation in the schema main that ndcg-sql created.
select
    columns.schema_name, columns.table_name, columns.column_name
from duckdb_columns() as columns
where
    columns.database_name = current_database()
    and columns.schema_name = 'main'
    and list_contains($names, columns.table_name)
order by columns.table_name, columns.column_index
