-- One row is a judged query with the values that a registered measure gives two
-- runs under the same judgment set, and their difference. difference is
-- candidate minus baseline; it is null if the measure omits the query for
-- either run. Filter by baseline and candidate: every pair of runs is listed,
-- in both directions.
select
    compared_values.dataset,
    compared_values.judgment_set,
    compared_values.baseline,
    compared_values.candidate,
    compared_values.measure,
    compared_values.query_id,
    compared_values.baseline_value,
    compared_values.candidate_value,
    compared_values.difference,
    compared_values.judgment_set_id,
    compared_values.baseline_run_id,
    compared_values.candidate_run_id

from store.compared_values
