-- run {run}, judgment set {judgment_set}: table stored_run_values differs from view
-- computed_run_values in {row_count} rows; remove the run, and load it again
with compared as (

    select
        stored_run_values.run_id,
        stored_run_values.judgment_set_id,
        stored_run_values.measure,
        stored_run_values.value,
        stored_run_values.n,
        stored_run_values.no_relevant,
        stored_run_values.judged_at_k,
        stored_run_values.standard_error,
        1 as side

    from stored_run_values

    union all

    select
        computed_run_values.run_id,
        computed_run_values.judgment_set_id,
        computed_run_values.measure,
        computed_run_values.value,
        computed_run_values.n,
        computed_run_values.no_relevant,
        computed_run_values.judged_at_k,
        computed_run_values.standard_error,
        -1 as side

    from computed_run_values

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
        compared.value,
        compared.n,
        compared.no_relevant,
        compared.judged_at_k,
        compared.standard_error

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
