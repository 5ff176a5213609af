-- One row is the comparison of a candidate with the baseline by a measure, for all
-- queries or a slice of them.
select
    compared_parts.baseline,
    compared_parts.candidate,
    compared_parts.candidate_run_id,
    compared_parts.judgment_set,
    compared_parts.dataset,
    compared_parts.attribute,
    compared_parts.slice,
    compared_parts.measure,
    compared_parts.n,
    compared_parts.baseline_value,
    compared_parts.candidate_value,
    compared_parts.difference,
    compared_parts.weighted_difference,
    compared_parts.weighted_n,
    compared_parts.wins,
    compared_parts.ties,
    compared_parts.losses,
    compared_parts.standard_error,
    baseline_shares.judged_at_k as baseline_judged_at_k,
    candidate_shares.judged_at_k as candidate_judged_at_k

from compared_parts

inner join part_judged_shares as baseline_shares
    on
        compared_parts.baseline_run_id = baseline_shares.run_id
        and compared_parts.judgment_set_id = baseline_shares.judgment_set_id
        and compared_parts.measure = baseline_shares.measure
        and compared_parts.attribute
        is not distinct from baseline_shares.attribute
        and compared_parts.slice is not distinct from baseline_shares.slice

inner join part_judged_shares as candidate_shares
    on
        compared_parts.candidate_run_id = candidate_shares.run_id
        and compared_parts.judgment_set_id = candidate_shares.judgment_set_id
        and compared_parts.measure = candidate_shares.measure
        and compared_parts.attribute
        is not distinct from candidate_shares.attribute
        and compared_parts.slice is not distinct from candidate_shares.slice

where
    compared_parts.is_sliced = $sliced
    and compared_parts.baseline_run_id = $baseline_run_id
    and compared_parts.candidate_run_id = $candidate_run_ids[1]
    and compared_parts.judgment_set_id = $judgment_set_id
    and compared_parts.measure = $measures[1]
