-- One row is a view of the file, whether ndcg-sql created it or not.
select
    views.schema_name, views.view_name
from duckdb_views() as views
where views.database_name = current_database() and not views.internal and not views.temporary
