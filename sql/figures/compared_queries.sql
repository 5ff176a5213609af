-- The largest number of queries that a candidate and the baseline both have a
-- value for.
select coalesce(max(compared_groups.n), 0) as queries

from compared_groups

where
    compared_groups.attribute is null
    and compared_groups.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_groups.candidate_run_id)
    and compared_groups.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_groups.measure)
