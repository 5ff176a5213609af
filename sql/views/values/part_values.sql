-- One row is the value of a registered measure for all queries of an evaluation,
-- plain and weighted, with the counts that it is based on. They are its only part:
-- in reports on slices, a temporary view of slice_values hides this one.
select
    run_values.dataset,
    run_values.run,
    run_values.judgment_set,
    run_values.run_id,
    run_values.judgment_set_id,
    cast(null as varchar) as slice,
    run_values.measure,
    run_values.value,
    stored_weighted_values.weighted_value,
    run_values.n,
    coalesce(stored_weighted_values.weighted_n, 0) as weighted_n,
    run_values.answered,
    run_values.unanswered,
    run_values.no_relevant,
    run_values.unjudged_queries,
    run_values.judged_at_k,
    run_values.standard_error

from run_values

left join stored_weighted_values using (run_id, judgment_set_id, measure)
