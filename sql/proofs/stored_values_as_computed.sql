-- run {run}, judgment set {judgment_set}: table stored_values differs from view
-- computed_values in {row_count} rows; remove the run, and load it again
with compared as (

    select
        stored_values.run_id,
        stored_values.judgment_set_id,
        stored_values.measure,
        stored_values.query_id,
        stored_values.value,
        stored_values.nothing_relevant,
        1 as side

    from stored_values

    union all

    select
        computed_values.run_id,
        computed_values.judgment_set_id,
        computed_values.measure,
        computed_values.query_id,
        computed_values.value,
        computed_values.nothing_relevant,
        -1 as side

    from computed_values

),

differing as (

    select
        compared.run_id,
        compared.judgment_set_id

    from compared

    group by
        compared.run_id,
        compared.judgment_set_id,
        compared.measure,
        compared.query_id,
        compared.value,
        compared.nothing_relevant

    having sum(compared.side) <> 0

)

select
    differing.run_id,
    differing.judgment_set_id,
    count(*) as row_count

from differing

group by
    differing.run_id,
    differing.judgment_set_id

order by
    differing.run_id,
    differing.judgment_set_id
