-- One row is the value of a measure for a run or a slice of its queries, plain and
-- weighted, with the counts that it is based on.
select
    run, judgment_set, dataset, slice, measure, value, weighted_value, n, weighted_n,
    cast(answered as bigint) as answered,
    cast(unanswered as bigint) as unanswered,
    cast(no_relevant as bigint) as no_relevant,
    unjudged_queries, judged_at_k,
    cast(judged_depth(cutoff) as bigint) as judged_depth,
    standard_error
from run_values
inner join measures using (measure)
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
order by
    dataset,
    slice nulls last,
    list_position($run_ids, run_id),
    list_position($measures, measure)
