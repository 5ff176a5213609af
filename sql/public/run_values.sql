-- One row is the value of a registered measure for a run: the mean over all
-- judged queries, or their sum or geometric mean if the measure is one, or the
-- value of the run as a whole. The counts show which queries the value is based
-- on. judged_at_k shows how far the value can be trusted. A run has a row for
-- each judgment set that it was evaluated with: choose one by judgment_set.
select
    run_values.dataset, run_values.run, run_values.judgment_set, run_values.measure,
    run_values.value, run_values.n, run_values.answered, run_values.unanswered,
    run_values.no_relevant, run_values.unjudged_queries, run_values.judged_at_k,
    run_values.standard_error, measures.trec_eval_name, run_values.run_id,
    run_values.judgment_set_id
from store.run_values
inner join store.measures using (measure)
