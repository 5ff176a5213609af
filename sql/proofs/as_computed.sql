-- run {run}, judgment set {judgment_set}: table {relation} differs from {kind} in
-- {row_count} rows; remove the run, and load it again
with compared as (
    select
        *,
        1 as side
    from query_table($relation)
    union all by name
    select
        *,
        -1 as side
    from query_table($other)
    -- Pairs that nobody evaluated have hits and counts, too.
    semi join evaluations using (run_id, judgment_set_id)
),

differing as (
    select * exclude (side)
    from compared
    group by all
    having sum(side) <> 0
)

select
    run_id, judgment_set_id,
    count(*) as row_count
from differing
group by all
order by all
