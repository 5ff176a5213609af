-- One row is the comparison of two runs by a registered measure, over the
-- queries for which both runs have a value. baseline_value and candidate_value
-- are means over these queries, or sums or geometric means if the measure is
-- one. Filter by baseline, candidate and measure: every pair of runs is listed,
-- in both directions, and computed for each answer.
select
    compared_groups.dataset,
    compared_groups.judgment_set,
    compared_groups.baseline,
    compared_groups.candidate,
    compared_groups.measure,
    compared_groups.baseline_value,
    compared_groups.candidate_value,
    compared_groups.difference,
    compared_groups.weighted_difference,
    compared_groups.n,
    compared_groups.weighted_n,
    compared_groups.wins,
    compared_groups.ties,
    compared_groups.losses,
    compared_groups.standard_error,
    compared_groups.judgment_set_id,
    compared_groups.baseline_run_id,
    compared_groups.candidate_run_id

from store.compared_groups

where compared_groups.attribute is null
