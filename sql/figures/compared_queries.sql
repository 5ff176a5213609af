-- The largest number of queries that a candidate and the baseline both have a
-- value for.
select coalesce(max(run_comparisons.n), 0) as queries

from run_comparisons

where
    run_comparisons.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, run_comparisons.candidate_run_id)
    and run_comparisons.judgment_set_id = $judgment_set_id
    and list_contains($measures, run_comparisons.measure)
