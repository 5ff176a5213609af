-- How many queries some of the fused runs show documents for, but not all; and the queries
-- that runs answer, all of them without documents, null if there are none.
with answered as (
    select
        query_id,
        count_if(retrieved > 0) as showing
    from run_queries
    where list_contains($run_ids, run_id)
    group by query_id
)

select
    count_if(showing between 1 and len($run_ids) - 1) as partly,
    list(query_id order by query_id) filter (where showing = 0) as empty
from answered
