-- One row is the comparison of two runs by a registered measure for a slice of
-- the queries: those that have one value of an attribute. Only queries for
-- which both runs have a value count; the means of the slices, each times its
-- n, add up to n times the mean of the whole. slice is null for the queries
-- whose value of the attribute is not known. As with run_comparisons, filter by
-- the two runs.
select
    compared_parts.dataset,
    compared_parts.judgment_set,
    compared_parts.baseline,
    compared_parts.candidate,
    compared_parts.judgment_set_id,
    compared_parts.baseline_run_id,
    compared_parts.candidate_run_id,
    compared_parts.attribute,
    compared_parts.slice,
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

where compared_parts.is_sliced
