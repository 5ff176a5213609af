-- The largest number of queries that a candidate and the baseline both have a
-- value for.
select coalesce(max(n), 0) as queries
from compared_groups
where
    attribute is null
    and baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_run_id)
    and judgment_set_id = $judgment_set_id
    and list_contains($measures, measure)
