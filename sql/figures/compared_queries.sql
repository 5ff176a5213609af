-- The largest number of queries that a candidate and the baseline both have a
-- value for.
select coalesce(max(compared_parts.n), 0) as queries

from compared_parts

where
    not compared_parts.is_sliced
    and compared_parts.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_parts.candidate_run_id)
    and compared_parts.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_parts.measure)
