insert into stored_run_values by name
select
    summarized_values.run_id,
    summarized_values.judgment_set_id,
    summarized_values.measure,
    summarized_values.value,
    summarized_values.n,
    summarized_values.no_relevant,
    summarized_values.judged_at_k,
    summarized_values.standard_error

from summarized_values

where
    summarized_values.run_id = $run_id
    and summarized_values.judgment_set_id = $judgment_set_id
    and summarized_values.attribute is null
