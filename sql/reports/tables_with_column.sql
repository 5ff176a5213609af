-- One row is a table that ndcg-sql made, and that has a column of a name.
select columns.table_name

from duckdb_columns() as columns

inner join duckdb_tables() as tables
    on columns.table_oid = tables.table_oid

where
    columns.database_name = current_database()
    and columns.schema_name = 'main'
    and tables.database_name = current_database()
    and list_contains($names, columns.table_name)
    and columns.column_name = $column

order by columns.table_name
