-- One row is the value of a registered measure for all judged queries of an
-- evaluation, as stored, plain and weighted, with the counts that it is based on.
-- In reports on slices, a temporary table of their values hides this view.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    stored_run_values.run_id, stored_run_values.judgment_set_id,
    cast(null as varchar) as slice,
    stored_run_values.measure, stored_run_values.value, stored_weighted_values.weighted_value,
    stored_run_values.n,
    coalesce(stored_weighted_values.weighted_n, 0) as weighted_n,
    evaluations.answered, evaluations.unanswered, stored_run_values.no_relevant,
    evaluations.unjudged_queries, stored_run_values.judged_at_k, stored_run_values.standard_error
from stored_run_values
inner join evaluations using (run_id, judgment_set_id)
inner join runs using (run_id)
inner join judgment_sets using (judgment_set_id)
left join stored_weighted_values using (run_id, judgment_set_id, measure)
