-- One row is a judged query with the values of a registered measure that two
-- runs have for it under the same judgment set, and their difference, which is
-- null where a measure leaves the query out. Each pair of two runs is there
-- both ways, so that all rows together grow with the square of the number of
-- runs: name the two that are meant.
select
    paired_values.dataset,
    paired_values.judgment_set,
    paired_values.baseline,
    paired_values.candidate,
    paired_values.judgment_set_id,
    paired_values.baseline_run_id,
    paired_values.candidate_run_id,
    paired_values.query_id,
    paired_values.measure,
    paired_values.baseline_value,
    paired_values.candidate_value,
    paired_values.difference

from paired_values
