insert into stored_weighted_values by name
select
    summarized_values.run_id,
    summarized_values.judgment_set_id,
    summarized_values.measure,
    summarized_values.weighted_value,
    summarized_values.weighted_n

from summarized_values

where
    summarized_values.run_id = $run_id
    and summarized_values.judgment_set_id = $judgment_set_id
    and summarized_values.attribute is null
    and summarized_values.weighted_n > 0
