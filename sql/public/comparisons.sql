-- One row is a judged query with the values that a registered measure gives two
-- runs under the same judgment set, and their difference. difference is
-- candidate minus baseline; it is null if the measure omits the query for
-- either run. Filter by baseline and candidate: every pair of runs is listed,
-- in both directions.
select
    comparisons.dataset,
    comparisons.judgment_set,
    comparisons.baseline,
    comparisons.candidate,
    comparisons.measure,
    comparisons.query_id,
    comparisons.baseline_value,
    comparisons.candidate_value,
    comparisons.difference,
    comparisons.judgment_set_id,
    comparisons.baseline_run_id,
    comparisons.candidate_run_id

from store.comparisons
