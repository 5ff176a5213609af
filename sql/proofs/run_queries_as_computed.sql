-- run {run}: table run_queries differs from view all_run_queries in
-- {row_count} rows; remove the run, and load it again
with compared as (

    select
        run_queries.*,
        1 as side

    from run_queries

    union all by name

    select
        all_run_queries.*,
        -1 as side

    from all_run_queries

),

differing as (

    select compared.* exclude (side)  -- noqa: RF03

    from compared

    group by all

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    count(*) as row_count

from differing

group by differing.run_id

order by differing.run_id
