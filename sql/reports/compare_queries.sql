-- One row is a judged query with the values of a measure for a candidate and
-- the baseline, and if sliced with the slice that the query belongs to; the
-- greatest losses come first.
select
    baseline, candidate, judgment_set, dataset, slice, measure, query_id, text,
    baseline_value, candidate_value, difference
from compared_values
left join queries using (dataset, query_id)
inner join query_groups using (judgment_set_id, query_id)
where
    baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_run_id)
    and judgment_set_id = $judgment_set_id
    and list_contains($measures, measure)
    and (attribute is not null) = $sliced
order by
    list_position($candidate_run_ids, candidate_run_id),
    list_position($measures, measure),
    difference nulls last,
    query_id
