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

inner join evaluations
    on
        stored_run_values.run_id = evaluations.run_id
        and stored_run_values.judgment_set_id = evaluations.judgment_set_id

inner join runs
    on stored_run_values.run_id = runs.run_id

inner join judgment_sets
    on stored_run_values.judgment_set_id = judgment_sets.judgment_set_id
