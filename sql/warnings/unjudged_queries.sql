-- The number of queries that runs answered but a judgment set does not judge.
select count(distinct run_queries.query_id)
from run_queries
where
    list_contains($run_ids, run_queries.run_id)
    and run_queries.query_id not in (
        select judged_queries.query_id
        from judged_queries
        where judged_queries.judgment_set_id = $judgment_set_id
    )
