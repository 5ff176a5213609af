-- run {run}: table run_queries differs from view computed_run_queries in
-- {row_count} rows; remove the run, and load it again
with compared as (
    select
        *,
        1 as side
    from run_queries
    union all by name
    select
        *,
        -1 as side
    from computed_run_queries
),

differing as (
    select * exclude (side)
    from compared
    group by all
    having sum(side) <> 0
)

select
    run_id,
    count(*) as row_count
from differing
group by all
order by all
