-- The registered measures, each with the evaluations that it is meant for and
-- that have no value of it.
select
    dataset_measures.measure, evaluations.run_id, evaluations.judgment_set_id
from evaluations
inner join dataset_measures using (judgment_set_id)
left join stored_run_values using (run_id, judgment_set_id, measure)
where stored_run_values.run_id is null
order by dataset_measures.measure, evaluations.run_id, evaluations.judgment_set_id
