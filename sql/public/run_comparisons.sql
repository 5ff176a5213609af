-- One row is the comparison of two runs by a registered measure, over the
-- queries for which both runs have a value. baseline_value and candidate_value
-- are means over these queries, or sums or geometric means if the measure is
-- one. Filter by baseline, candidate and measure: every pair of runs is listed,
-- in both directions, and computed for each answer.
select
    run_comparisons.dataset,
    run_comparisons.judgment_set,
    run_comparisons.baseline,
    run_comparisons.candidate,
    run_comparisons.measure,
    run_comparisons.baseline_value,
    run_comparisons.candidate_value,
    run_comparisons.difference,
    run_comparisons.weighted_difference,
    run_comparisons.n,
    run_comparisons.weighted_n,
    run_comparisons.wins,
    run_comparisons.ties,
    run_comparisons.losses,
    run_comparisons.standard_error,
    run_comparisons.judgment_set_id,
    run_comparisons.baseline_run_id,
    run_comparisons.candidate_run_id

from store.run_comparisons
