-- A run, with how many judged and other queries it answered.
select
    run_id,
    1 as judgment_set_id,
    count(judged_queries.query_id) as answered,
    max(query_count) - count(judged_queries.query_id) as unanswered,
    count(*) - count(judged_queries.query_id) as unjudged_queries
from run_queries
cross join judgment_sets
left join judged_queries using (query_id)
group by run_id
