-- One row is a run with its value of a measure.
select
    run_values.run_id, run_values.value
from run_values
where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and run_values.measure = $measure
    and run_values.value is not null
