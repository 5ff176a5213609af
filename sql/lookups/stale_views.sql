-- The computing views of a warehouse that are none of these: all of them have a
-- comment, a view of somebody else may have none.
select view_name
from duckdb_views()
where
    database_name = current_database()
    and schema_name = 'store'
    and comment is not null
    and not list_contains($names, view_name)
order by view_name
