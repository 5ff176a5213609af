-- One row is the comparison of two runs by a registered measure, over the
-- queries for which both runs have a value. baseline_value and candidate_value
-- are means over these queries, or sums or geometric means if the measure is
-- one. Filter by baseline, candidate and measure: every pair of runs is listed,
-- in both directions, and computed for each answer.
select
    compared_parts.dataset,
    compared_parts.judgment_set,
    compared_parts.baseline,
    compared_parts.candidate,
    compared_parts.measure,
    compared_parts.baseline_value,
    compared_parts.candidate_value,
    compared_parts.difference,
    compared_parts.weighted_difference,
    compared_parts.n,
    compared_parts.weighted_n,
    compared_parts.wins,
    compared_parts.ties,
    compared_parts.losses,
    compared_parts.standard_error,
    compared_parts.judgment_set_id,
    compared_parts.baseline_run_id,
    compared_parts.candidate_run_id

from store.compared_parts

where not compared_parts.is_sliced
