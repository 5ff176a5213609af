-- One row is the comparison of two runs by a registered measure for a slice of
-- the queries: those that have one value of an attribute. The columns mean the
-- same as in run_comparisons. attribute_value is null for the queries whose
-- value is not known. Filter by baseline, candidate, measure and attribute:
-- every pair of runs is listed, in both directions, and computed for each
-- answer.
select
    slice_comparisons.dataset,
    slice_comparisons.judgment_set,
    slice_comparisons.baseline,
    slice_comparisons.candidate,
    slice_comparisons.attribute,
    slice_comparisons.slice as attribute_value,
    slice_comparisons.measure,
    slice_comparisons.baseline_value,
    slice_comparisons.candidate_value,
    slice_comparisons.difference,
    slice_comparisons.weighted_difference,
    slice_comparisons.n,
    slice_comparisons.weighted_n,
    slice_comparisons.wins,
    slice_comparisons.ties,
    slice_comparisons.losses,
    slice_comparisons.standard_error,
    slice_comparisons.judgment_set_id,
    slice_comparisons.baseline_run_id,
    slice_comparisons.candidate_run_id

from store.slice_comparisons
