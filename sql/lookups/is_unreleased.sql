-- Whether the tables are in the schema main, where they were before the first
-- release.
select count(*) = 2 as is_unreleased

from duckdb_columns() as columns

where
    columns.database_name = current_database()
    and columns.schema_name = 'main'
    and columns.table_name = 'sql_files'
    and columns.column_name in ('path', 'checksum')
