-- One row is a table of the schema store that has rows, as far as is known.
select tables.table_name

from duckdb_tables() as tables

where
    tables.database_name = current_database()
    and tables.schema_name = 'store'
    and not tables.temporary
    and tables.estimated_size > 0
