-- One row is a run with its value of a measure.
select run_id, value
from run_values
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and measure = $measure
    and value is not null
