-- One row is a query and a run: how many documents the run shows, if any.
with shown as (
    select place, query_id, retrieved
    from run_queries
    inner join fused_runs using (run_id)
),

answered as (select distinct query_id from shown)

select
    place, query_id,
    coalesce(retrieved, 0) as length
from answered
cross join (select place from fused_runs)
left join shown using (place, query_id)
