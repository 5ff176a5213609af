-- Whether a database file says of itself that it was published.
select count(*) = 1 as is_published

from duckdb_tables() as tables

where
    tables.database_name = current_database()
    and tables.table_name = 'sql_files'
    and tables.comment = $mark
