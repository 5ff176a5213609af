insert into stored_weighted_values by name
select computed_weighted_values.*

from computed_weighted_values

where
    computed_weighted_values.run_id = $run_id
    and computed_weighted_values.judgment_set_id = $judgment_set_id
