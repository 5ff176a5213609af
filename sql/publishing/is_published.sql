-- Whether a database file was published.
select count(*) = 1 as is_published
from duckdb_tables() as tables
where
    tables.database_name = current_database()
    and tables.schema_name = 'published'
    and tables.table_name = 'parts'
    and tables.comment = $mark
