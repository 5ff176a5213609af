-- One row is a column of a table or view that ndcg-sql made, with both
-- comments; public views come first, then tables, then the views behind them.
with relations as (

    select
        tables.table_name as relation,
        tables.comment,
        'table' as kind

    from duckdb_tables() as tables

    where tables.database_name = current_database()

    union all

    select
        views.view_name as relation,
        views.comment,
        'view' as kind

    from duckdb_views() as views

    where views.database_name = current_database()

)

select
    relations.kind,
    relations.relation,
    relations.comment as relation_comment,
    columns.column_name,
    lower(columns.data_type) as data_type,
    columns.comment

from relations

inner join duckdb_columns() as columns
    on
        relations.relation = columns.table_name
        and columns.database_name = current_database()

where list_contains($names, relations.relation)

order by
    relations.kind,
    relations.relation,
    columns.column_index
