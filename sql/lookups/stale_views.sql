-- The computing views of a warehouse that are none of these.
select view_name

from duckdb_views()

where
    database_name = current_database()
    and schema_name = 'store'
    and not list_contains($names, view_name)

order by view_name
