-- One row is a judged query with the values of a registered measure that two
-- runs have for it under the same judgment set, and their difference, which is
-- null where a measure leaves the query out. Each pair of two runs is there
-- both ways, so that all rows together grow with the square of the number of
-- runs: name the two that are meant.
select
    compared_values.dataset,
    compared_values.judgment_set,
    compared_values.baseline,
    compared_values.candidate,
    compared_values.judgment_set_id,
    compared_values.baseline_run_id,
    compared_values.candidate_run_id,
    compared_values.query_id,
    compared_values.measure,
    compared_values.baseline_value,
    compared_values.candidate_value,
    compared_values.difference

from compared_values
