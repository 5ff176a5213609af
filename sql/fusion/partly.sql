-- How many queries some of the fused runs answer, but not all.
with answered as (
    select count(*) as run_count
    from run_queries
    inner join fused_runs using (run_id)
    group by query_id
)

select count(*) as query_count
from answered
where run_count < (select count(*) from fused_runs)
