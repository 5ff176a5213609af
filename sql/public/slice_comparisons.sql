-- One row is the comparison of two runs by a registered measure for a slice of
-- the queries: those that have one value of an attribute. The columns mean the
-- same as in run_comparisons. attribute_value is null for the queries whose
-- value is not known. Filter by baseline, candidate, measure and attribute:
-- every pair of runs is listed, in both directions, and computed for each
-- answer.
select
    compared_parts.dataset,
    compared_parts.judgment_set,
    compared_parts.baseline,
    compared_parts.candidate,
    compared_parts.attribute,
    compared_parts.slice as attribute_value,
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

where compared_parts.is_sliced
