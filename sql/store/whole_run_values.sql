insert into stored_run_values by name
select
    whole_run_values.run_id,
    whole_run_values.judgment_set_id,
    whole_run_values.measure,
    whole_run_values.value,
    whole_run_values.n,
    whole_run_values.no_relevant,
    whole_run_values.judged_at_k,
    whole_run_values.standard_error

from whole_run_values

where
    whole_run_values.run_id = $run_id
    and whole_run_values.judgment_set_id = $judgment_set_id
    and whole_run_values.attribute is null
