-- run {run}: table run_queries differs from view all_run_queries in
-- {row_count} rows; remove the run, and load it again
with compared as (

    select
        run_queries.run_id,
        run_queries.query_id,
        run_queries.retrieved,
        1 as side

    from run_queries

    union all

    select
        all_run_queries.run_id,
        all_run_queries.query_id,
        all_run_queries.retrieved,
        -1 as side

    from all_run_queries

),

differing as (

    select compared.run_id

    from compared

    group by
        compared.run_id,
        compared.query_id,
        compared.retrieved

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    count(*) as row_count

from differing

group by differing.run_id

order by differing.run_id
