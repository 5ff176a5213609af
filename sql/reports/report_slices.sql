-- One row is the value of a measure for a slice of a run's queries, plain and
-- weighted, with the counts that it is based on.
select
    slice_values.run,
    slice_values.judgment_set,
    slice_values.dataset,
    slice_values.slice,
    slice_values.measure,
    slice_values.value,
    slice_values.weighted_value,
    slice_values.n,
    slice_values.weighted_n,
    cast(slice_values.answered as bigint) as answered,
    cast(slice_values.unanswered as bigint) as unanswered,
    cast(slice_values.no_relevant as bigint) as no_relevant,
    slice_values.judged_at_k,
    cast(coalesce(measures.cutoff, 10) as bigint) as judged_depth,
    slice_values.standard_error

from slice_values

inner join measures using (measure)

where
    list_contains($run_ids, slice_values.run_id)
    and list_contains($judgment_set_ids, slice_values.judgment_set_id)
    and list_contains($measures, slice_values.measure)

order by
    slice_values.dataset,
    slice_values.slice nulls last,
    list_position($run_ids, slice_values.run_id),
    list_position($measures, slice_values.measure)
