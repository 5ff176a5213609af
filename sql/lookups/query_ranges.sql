-- One row is the first judged query of a range; there are at most $count ranges, alike in size.
with ranges as (
    select
        query_id,
        ntile($count) over (order by query_id) as part
    from judged_queries
    where judgment_set_id = $judgment_set_id
)

select min(query_id) as first_query
from ranges
group by part
order by first_query
