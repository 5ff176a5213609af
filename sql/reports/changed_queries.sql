-- One row is one of the queries that lost or gained most by a measure; for each
-- candidate, the greatest loss comes first. If an attribute is given, only
-- queries of its slice are included.
select candidate, query_id, text, baseline_value, candidate_value, difference
from compared_values
left join queries using (dataset, query_id)
inner join query_groups using (judgment_set_id, query_id)
where
    baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_run_id)
    and judgment_set_id = $judgment_set_id
    and measure = $measure
    and abs(difference) >= 5e-13
    and attribute is not distinct from $attribute
    and slice is not distinct from $slice
qualify
    row_number()
        over (
            partition by candidate_run_id, difference > 0
            order by abs(difference) desc, query_id
        )
    <= $count
order by list_position($candidate_run_ids, candidate_run_id), difference, query_id
