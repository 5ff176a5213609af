insert into stored_values by name
select
    computed_values.run_id,
    computed_values.judgment_set_id,
    computed_values.measure,
    computed_values.query_id,
    computed_values.value,
    computed_values.nothing_relevant

from computed_values

where
    computed_values.run_id = $run_id
    and computed_values.judgment_set_id = $judgment_set_id
