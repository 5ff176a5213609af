-- One row is a run's value of a measure, with what it rests on.
select
    run_values.run,
    run_values.judgment_set,
    run_values.dataset,
    run_values.measure,
    run_values.value,
    run_values.n,
    run_values.answered,
    run_values.unanswered,
    run_values.no_relevant,
    run_values.unjudged_queries,
    run_values.judged_at_k,
    run_values.standard_error

from run_values

where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)

order by
    run_values.dataset,
    run_values.run_id,
    list_position($measures, run_values.measure)
