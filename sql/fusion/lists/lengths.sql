-- One row is a query and a run: how many documents the run shows, if any.
with answered as (
    select distinct query_id
    from run_queries
    semi join fused_runs using (run_id)
)

select
    place, query_id,
    coalesce(retrieved, 0) as length
from answered
cross join fused_runs
left join run_queries using (run_id, query_id)
