-- One row is the value of a registered measure for a judged query of an
-- evaluation, whether the run answered the query or not. Join it with any table
-- that has query ids.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    stored_values.run_id, stored_values.judgment_set_id, stored_values.query_id,
    stored_values.measure, stored_values.value, stored_values.nothing_relevant
from stored_values
inner join runs using (run_id)
inner join judgment_sets using (judgment_set_id)
