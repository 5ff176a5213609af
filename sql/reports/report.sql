-- One row is the value of a measure for a run or a slice of its queries, plain and
-- weighted, with the counts that it is based on.
select
    run_values.run, run_values.judgment_set, run_values.dataset, run_values.slice,
    run_values.measure, run_values.value, run_values.weighted_value, run_values.n,
    run_values.weighted_n,
    cast(run_values.answered as bigint) as answered,
    cast(run_values.unanswered as bigint) as unanswered,
    cast(run_values.no_relevant as bigint) as no_relevant,
    run_values.unjudged_queries, run_values.judged_at_k,
    cast(judged_depth(measures.cutoff) as bigint) as judged_depth,
    run_values.standard_error
from run_values
inner join measures using (measure)
where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)
order by
    run_values.dataset,
    run_values.slice nulls last,
    list_position($run_ids, run_values.run_id),
    list_position($measures, run_values.measure)
