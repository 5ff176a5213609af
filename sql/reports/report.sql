-- One row is the value of a measure for a run, plain and weighted, with the
-- counts that it is based on.
select
    run_values.run,
    run_values.judgment_set,
    run_values.dataset,
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
    cast(coalesce(measures.cutoff, 10) as bigint) as judged_depth,
    run_values.standard_error

from run_values

inner join measures using (measure)

left join stored_weighted_values using (run_id, judgment_set_id, measure)

where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)

order by
    run_values.dataset,
    list_position($run_ids, run_values.run_id),
    list_position($measures, run_values.measure)
