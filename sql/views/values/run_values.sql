-- One row is the value of a registered measure for an evaluation: the mean over
-- the judged queries, or their sum or geometric mean if the measure is one,
-- with the counts that it is based on.
select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    stored_run_values.run_id,
    stored_run_values.judgment_set_id,
    stored_run_values.measure,
    stored_run_values.value,
    stored_run_values.n,
    evaluations.answered,
    evaluations.unanswered,
    stored_run_values.no_relevant,
    evaluations.unjudged_queries,
    stored_run_values.judged_at_k,
    stored_run_values.standard_error

from stored_run_values

inner join evaluations using (run_id, judgment_set_id)

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)
