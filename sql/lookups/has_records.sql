-- Whether the table exists in which ndcg-sql records the files that it applied.
select count(*) = 2 as has_records

from duckdb_columns() as columns

where
    columns.database_name = current_database()
    and columns.schema_name = 'store'
    and columns.table_name = 'sql_files'
    and columns.column_name in ('path', 'checksum')
