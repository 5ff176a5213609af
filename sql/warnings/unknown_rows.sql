-- How many rows and queries unknown_queries has, as a sentence begins, and the first such
-- queries. Rows of no noun are the queries themselves.
with unknown as (
    select
        source_rows.query_id,
        min(source_rows.line_number) as first_line,
        cast(sum(source_rows.row_count) as bigint) as row_count
    from source_rows
    group by source_rows.query_id
)

select
    case
        when $noun is null
            then count(*) || ' of these queries ' || if(count(*) = 1, 'is', 'are')
        else
            sum(unknown.row_count) || ' ' || $noun
            || if(sum(unknown.row_count) = 1, ' is of ', 's are of ')
            || if(count(*) = 1, 'a query that is', count(*) || ' queries that are')
    end as what,
    list(unknown.query_id order by unknown.first_line, unknown.query_id) as examples
from unknown
having count(*) > 0
