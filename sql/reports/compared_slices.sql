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
    baseline_shares.judged_at_k as baseline_judged_at_k,
    candidate_shares.judged_at_k as candidate_judged_at_k

from slice_comparisons

inner join measures using (measure)

inner join slice_judged_shares as baseline_shares
    on
        slice_comparisons.baseline_run_id = baseline_shares.run_id
        and slice_comparisons.judgment_set_id = baseline_shares.judgment_set_id
        and slice_comparisons.attribute = baseline_shares.attribute
        and slice_comparisons.slice
        is not distinct from baseline_shares.slice
        and coalesce(measures.cutoff, 10) = baseline_shares.depth

inner join slice_judged_shares as candidate_shares
    on
        slice_comparisons.candidate_run_id = candidate_shares.run_id
        and slice_comparisons.judgment_set_id = candidate_shares.judgment_set_id
        and slice_comparisons.attribute = candidate_shares.attribute
        and slice_comparisons.slice
        is not distinct from candidate_shares.slice
        and coalesce(measures.cutoff, 10) = candidate_shares.depth

where
    slice_comparisons.baseline_run_id = $baseline_run_id
    and slice_comparisons.candidate_run_id = $candidate_run_ids[1]
    and slice_comparisons.judgment_set_id = $judgment_set_id
    and slice_comparisons.measure = $measures[1]
