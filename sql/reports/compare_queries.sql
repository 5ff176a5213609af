-- One row is a judged query with the values of a measure for a candidate and
-- the baseline, and if sliced with the slice that the query belongs to; the
-- greatest losses come first.
select
    compared_values.baseline,
    compared_values.candidate,
    compared_values.judgment_set,
    compared_values.dataset,
    query_groups.slice,
    compared_values.measure,
    compared_values.query_id,
    queries.text,
    compared_values.baseline_value,
    compared_values.candidate_value,
    compared_values.difference

from compared_values

left join queries using (dataset, query_id)

inner join query_groups using (judgment_set_id, query_id)

where
    compared_values.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_values.candidate_run_id)
    and compared_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_values.measure)
    and (query_groups.attribute is not null) = $sliced

order by
    list_position($candidate_run_ids, compared_values.candidate_run_id),
    list_position($measures, compared_values.measure),
    compared_values.difference nulls last,
    compared_values.query_id
