insert into stored_values by name
select computed_values.*

from computed_values

where
    computed_values.run_id = $run_id
    and computed_values.judgment_set_id = $judgment_set_id
