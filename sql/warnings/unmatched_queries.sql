-- The queries of runs that a judgment set does not judge, and the judged ones that
-- the run did not answer.
with judged as (
    select distinct judgments.query_id
    from judgments
    where judgments.judgment_set_id = $judgment_set_id
),

answered as (
    select
        run_queries.run_id, run_queries.query_id
    from run_queries
    where list_contains($run_ids, run_queries.run_id)
)

select
    answered.run_id,
    null as query_id,
    answered.query_id as id,
    false as is_judged
from answered
anti join judged using (query_id)
union all
select
    runs.run_id,
    null as query_id,
    judged.query_id as id,
    true as is_judged
from runs
cross join judged
anti join answered using (run_id, query_id)
where list_contains($run_ids, runs.run_id)
