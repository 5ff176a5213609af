-- One row is a judged query with the values of a measure for a candidate and
-- the baseline, and if sliced with the slice that the query belongs to; the
-- greatest losses come first.
select
    comparisons.baseline,
    comparisons.candidate,
    comparisons.judgment_set,
    comparisons.dataset,
    query_slices.slice,
    comparisons.measure,
    comparisons.query_id,
    queries.text,
    comparisons.baseline_value,
    comparisons.candidate_value,
    comparisons.difference

from comparisons

left join queries using (dataset, query_id)

left join query_slices
    on
        comparisons.judgment_set_id = query_slices.judgment_set_id
        and comparisons.query_id = query_slices.query_id
        and $sliced

where
    comparisons.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, comparisons.candidate_run_id)
    and comparisons.judgment_set_id = $judgment_set_id
    and list_contains($measures, comparisons.measure)

order by
    list_position($candidate_run_ids, comparisons.candidate_run_id),
    list_position($measures, comparisons.measure),
    comparisons.difference nulls last,
    comparisons.query_id
