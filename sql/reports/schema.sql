-- One row is a column of a table or view that ndcg-sql made, with both
-- comments. A view is public when it carries the names that people know: its
-- rows tell the dataset.
with relations as (

    select
        tables.table_name as relation,
        tables.comment as relation_comment,
        'table' as kind

    from duckdb_tables() as tables

    where
        tables.database_name = current_database()
        and tables.schema_name = 'main'

    union all

    select
        views.view_name as relation,
        views.comment as relation_comment,
        'view' as kind

    from duckdb_views() as views

    where
        views.database_name = current_database()
        and views.schema_name = 'main'

),

described as (

    select
        relations.kind,
        relations.relation,
        relations.relation_comment,
        columns.column_name,
        columns.column_index,
        lower(columns.data_type) as data_type,
        columns.comment,
        max(
            case when columns.column_name = 'dataset' then 1 else 0 end
        ) over (partition by relations.relation) = 1 as has_names

    from relations

    inner join duckdb_columns() as columns
        on
            relations.relation = columns.table_name
            and columns.database_name = current_database()
            and columns.schema_name = 'main'

    where list_contains($names, relations.relation)

)

select
    case
        when described.kind = 'table' then 'table'
        when described.has_names then 'view'
        else 'inner view'
    end as kind,
    described.relation,
    described.relation_comment,
    described.column_name,
    described.data_type,
    described.comment

from described

order by
    list_position(['view', 'table', 'inner view'], kind),
    described.relation,
    described.column_index
