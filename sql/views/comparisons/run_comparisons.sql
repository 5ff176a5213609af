-- One row is the comparison of two runs by a registered measure: its value for
-- each run (the mean over the judged queries, or their sum or geometric mean if
-- the measure is one) and the counts that these are based on. Only queries for
-- which both runs have a value count. Each pair of runs is listed in both
-- directions, so the time for all rows grows with the square of the number of
-- runs: filter by the two runs.
select
    compared_parts.dataset,
    compared_parts.judgment_set,
    compared_parts.baseline,
    compared_parts.candidate,
    compared_parts.judgment_set_id,
    compared_parts.baseline_run_id,
    compared_parts.candidate_run_id,
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
    compared_parts.standard_error

from compared_parts

where not compared_parts.is_sliced
