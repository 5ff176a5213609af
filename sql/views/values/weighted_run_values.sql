-- One row is the weighted mean of a registered measure for an evaluation, with
-- the names of its run and judgment set.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    stored_weighted_values.run_id,
    stored_weighted_values.judgment_set_id,
    stored_weighted_values.measure,
    stored_weighted_values.weighted_value,
    stored_weighted_values.weighted_n

from stored_weighted_values

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)
