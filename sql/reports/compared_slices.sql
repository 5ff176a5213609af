-- One row is the comparison of a candidate with the baseline by a measure, for
-- a slice of the queries.
select
    slice_comparisons.baseline,
    slice_comparisons.candidate,
    slice_comparisons.candidate_run_id,
    slice_comparisons.judgment_set,
    slice_comparisons.dataset,
    slice_comparisons.attribute,
    slice_comparisons.slice,
    slice_comparisons.measure,
    slice_comparisons.n,
    slice_comparisons.baseline_value,
    slice_comparisons.candidate_value,
    slice_comparisons.difference,
    slice_comparisons.weighted_difference,
    slice_comparisons.weighted_n,
    slice_comparisons.wins,
    slice_comparisons.ties,
    slice_comparisons.losses,
    slice_comparisons.standard_error,
    baseline_values.judged_at_k as baseline_judged_at_k,
    candidate_values.judged_at_k as candidate_judged_at_k

from slice_comparisons

inner join slice_values as baseline_values
    on
        slice_comparisons.baseline_run_id = baseline_values.run_id
        and slice_comparisons.judgment_set_id = baseline_values.judgment_set_id
        and slice_comparisons.measure = baseline_values.measure
        and slice_comparisons.attribute = baseline_values.attribute
        and slice_comparisons.slice
        is not distinct from baseline_values.slice

inner join slice_values as candidate_values
    on
        slice_comparisons.candidate_run_id = candidate_values.run_id
        and slice_comparisons.judgment_set_id = candidate_values.judgment_set_id
        and slice_comparisons.measure = candidate_values.measure
        and slice_comparisons.attribute = candidate_values.attribute
        and slice_comparisons.slice
        is not distinct from candidate_values.slice

where
    slice_comparisons.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, slice_comparisons.candidate_run_id)
    and slice_comparisons.judgment_set_id = $judgment_set_id
    and list_contains($measures, slice_comparisons.measure)
