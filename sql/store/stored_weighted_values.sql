insert into stored_weighted_values by name
select
    computed_weighted_values.run_id,
    computed_weighted_values.judgment_set_id,
    computed_weighted_values.measure,
    computed_weighted_values.weighted_value,
    computed_weighted_values.weighted_n

from computed_weighted_values

where
    computed_weighted_values.run_id = $run_id
    and computed_weighted_values.judgment_set_id = $judgment_set_id
