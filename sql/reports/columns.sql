-- One row is a column of a table or view that ndcg-sql made.
select
    columns.table_name,
    columns.column_name,
    columns.data_type,
    columns.comment

from duckdb_columns() as columns

where
    columns.database_name = current_database()
    and columns.schema_name = 'main'
    and list_contains($names, columns.table_name)

order by
    columns.table_name,
    columns.column_index
