-- Whether the table exists in which ndcg-sql records the files that it applied.
-- Its columns are read from its definition: a list of all columns takes as long as
-- it takes to plan every view.
select count(*) = 1 as has_records
from duckdb_tables() as tables
where
    tables.database_name = current_database()
    and tables.schema_name = 'store'
    and tables.table_name = 'sql_files'
    and tables.sql like '%path%checksum%'
