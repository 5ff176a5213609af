-- Of the queries for which a run returned several documents, one of them judged: how
-- many have the same score for all documents, and how many there are.
with judged_queries as (
    select
        hits.query_id,
        bool_and(hits.tie_first = 1 and hits.tie_last = run_queries.retrieved) as is_constant
    from hits
    inner join run_queries using (run_id, query_id)
    where
        hits.run_id = $run_id
        and hits.judgment_set_id = $judgment_set_id
        and run_queries.retrieved > 1
    group by hits.query_id
)

select
    coalesce(count_if(judged_queries.is_constant), 0) as constant_count,
    count(*) as query_count
from judged_queries
