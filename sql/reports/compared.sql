-- One row is the comparison of a candidate with the baseline by a measure, for all
-- queries or a slice of them.
select
    compared_groups.baseline, compared_groups.candidate, compared_groups.candidate_run_id,
    compared_groups.judgment_set, compared_groups.dataset, compared_groups.attribute,
    compared_groups.slice, compared_groups.measure, compared_groups.n,
    compared_groups.baseline_value, compared_groups.candidate_value, compared_groups.difference,
    compared_groups.weighted_difference, compared_groups.weighted_n, compared_groups.wins,
    compared_groups.ties, compared_groups.losses, compared_groups.standard_error,
    baseline_shares.judged_at_k as baseline_judged_at_k,
    candidate_shares.judged_at_k as candidate_judged_at_k
from compared_groups
inner join part_judged_shares as baseline_shares
    on
        compared_groups.baseline_run_id = baseline_shares.run_id
        and compared_groups.judgment_set_id = baseline_shares.judgment_set_id
        and compared_groups.measure = baseline_shares.measure
        and compared_groups.attribute
        is not distinct from baseline_shares.attribute
        and compared_groups.slice is not distinct from baseline_shares.slice
inner join part_judged_shares as candidate_shares
    on
        compared_groups.candidate_run_id = candidate_shares.run_id
        and compared_groups.judgment_set_id = candidate_shares.judgment_set_id
        and compared_groups.measure = candidate_shares.measure
        and compared_groups.attribute
        is not distinct from candidate_shares.attribute
        and compared_groups.slice is not distinct from candidate_shares.slice
where
    (compared_groups.attribute is not null) = $sliced
    and compared_groups.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_groups.candidate_run_id)
    and compared_groups.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_groups.measure)
