-- Whether a database file is marked as published.
select count(*) = 1 as is_published

from duckdb_tables() as tables

where
    tables.database_name = current_database()
    and tables.schema_name = 'store'
    and tables.table_name = 'sql_files'
    and tables.comment = $mark
