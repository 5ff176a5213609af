-- One row is a table of the schema store of an attached warehouse.
select tables.table_name

from duckdb_tables() as tables

where
    tables.database_name = $database
    and tables.schema_name = 'store'

order by tables.table_name
