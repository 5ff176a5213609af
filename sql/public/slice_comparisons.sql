-- One row is the comparison of two runs by a registered measure for a slice of
-- the queries: those that have one value of an attribute. The columns mean the
-- same as in run_comparisons. attribute_value is null for the queries whose
-- value is not known. Filter by baseline, candidate, measure and attribute:
-- every pair of runs is listed, in both directions, and computed for each
-- answer.
select
    compared_groups.dataset,
    compared_groups.judgment_set,
    compared_groups.baseline,
    compared_groups.candidate,
    compared_groups.attribute,
    compared_groups.slice as attribute_value,
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

where compared_groups.attribute is not null
