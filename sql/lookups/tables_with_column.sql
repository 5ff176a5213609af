-- One row is a table of the schema store that has a column with a given name.
select columns.table_name
from duckdb_columns() as columns
inner join duckdb_tables() as tables
    on columns.table_oid = tables.table_oid
where
    columns.database_name = current_database()
    and columns.schema_name = 'store'
    and tables.database_name = current_database()
    and tables.schema_name = 'store'
    and columns.column_name = $column
order by columns.table_name
