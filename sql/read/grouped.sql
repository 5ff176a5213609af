-- Rows of a list that names no queries, with the number of their group in
-- front. The first group size gives how many of the first rows belong to query
-- 1, and so on.
with sizes as (
    select
        unnest($group_sizes) as size,
        generate_subscripts($group_sizes, 1) as query_number
),

bounds as (
    select
        sizes.query_number,
        sum(sizes.size) over (order by sizes.query_number) as last_row,
        sum(sizes.size) over (order by sizes.query_number)
        - sizes.size as last_row_before
    from sizes
),

numbered as (
    select
        source_rows.line_number, source_rows.fields,
        row_number() over (order by source_rows.line_number) as row_number
    from source_rows
)

select
    numbered.line_number,
    list_prepend(cast(bounds.query_number as varchar), numbered.fields) as fields
from numbered
left join bounds
    on numbered.row_number > bounds.last_row_before and numbered.row_number <= bounds.last_row
