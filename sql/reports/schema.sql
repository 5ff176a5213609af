-- One row is a column of a public relation, with both comments.
select
    views.view_name as relation,
    views.comment as relation_comment,
    columns.column_name,
    lower(columns.data_type) as data_type,
    columns.comment
from duckdb_views() as views
inner join duckdb_columns() as columns
    on
        views.view_name = columns.table_name
        and columns.database_name = current_database()
        and columns.schema_name = 'main'
where
    views.database_name = current_database()
    and views.schema_name = 'main'
    and list_contains($names, views.view_name)
order by
    list_position($names, views.view_name),
    columns.column_index
