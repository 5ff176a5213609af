-- How many rows and queries unknown_queries has, and the first such queries.
with unknown as (
    select
        source_rows.query_id,
        min(source_rows.line_number) as first_line,
        count(*) as row_count
    from source_rows
    group by source_rows.query_id
)

select
    cast(sum(unknown.row_count) over () as bigint) as row_count,
    count(*) over () as query_count,
    unknown.query_id
from unknown
order by unknown.first_line
limit 5
