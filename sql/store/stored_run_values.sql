insert into stored_run_values by name
select summarized_values.*

from summarized_values

where
    summarized_values.run_id = $run_id
    and summarized_values.judgment_set_id = $judgment_set_id
