insert into stored_run_values by name
select
    computed_run_values.run_id,
    computed_run_values.judgment_set_id,
    computed_run_values.measure,
    computed_run_values.value,
    computed_run_values.n,
    computed_run_values.no_relevant,
    computed_run_values.judged_at_k,
    computed_run_values.standard_error

from computed_run_values

where
    computed_run_values.run_id = $run_id
    and computed_run_values.judgment_set_id = $judgment_set_id
