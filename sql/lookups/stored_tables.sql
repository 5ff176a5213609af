-- One row is a table of the file, whether ndcg-sql created it or not.
select
    tables.schema_name, tables.table_name
from duckdb_tables() as tables
where tables.database_name = current_database() and not tables.temporary
order by tables.schema_name, tables.table_name
