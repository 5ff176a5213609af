-- One row is a registered measure of these, with an evaluation that it is meant for and that has
-- no value of it.
select measure, run_id, judgment_set_id
from evaluations
inner join dataset_measures using (judgment_set_id)
anti join stored_run_values using (run_id, judgment_set_id, measure)
where list_contains($names, measure)
order by measure, run_id, judgment_set_id
