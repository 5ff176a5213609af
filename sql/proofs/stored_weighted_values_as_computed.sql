-- run {run}, judgment set {judgment_set}: table stored_weighted_values differs from view
-- computed_weighted_values in {row_count} rows; remove the run, and load it again
with compared as (

    select
        stored_weighted_values.run_id,
        stored_weighted_values.judgment_set_id,
        stored_weighted_values.measure,
        stored_weighted_values.weighted_value,
        stored_weighted_values.weighted_n,
        1 as side

    from stored_weighted_values

    union all

    select
        computed_weighted_values.run_id,
        computed_weighted_values.judgment_set_id,
        computed_weighted_values.measure,
        computed_weighted_values.weighted_value,
        computed_weighted_values.weighted_n,
        -1 as side

    from computed_weighted_values

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
        compared.weighted_value,
        compared.weighted_n

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
