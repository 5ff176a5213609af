-- The queries of runs that a judgment set does not judge, and the judged ones that
-- the run did not answer.
with judged as (
    select distinct query_id
    from judgments
    where judgment_set_id = $judgment_set_id
),

answered as (
    select run_id, query_id
    from run_queries
    where list_contains($run_ids, run_id)
),

unmatched as (
    select run_id, query_id, false as is_judged
    from answered
    anti join judged using (query_id)
    union all
    select run_id, query_id, true as is_judged
    from (select unnest($run_ids) as run_id) as chosen
    cross join judged
    anti join answered using (run_id, query_id)
)

select
    run_id, is_judged,
    null as query_id,
    query_id as id
from unmatched
