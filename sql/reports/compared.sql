-- One row is the comparison of a candidate with the baseline by a measure, for all
-- queries or a slice of them (see compared_groups), with the shares of judged documents.
select
    compared_groups.*,
    baseline_shares.judged_at_k as baseline_judged_at_k,
    candidate_shares.judged_at_k as candidate_judged_at_k
from compared_groups
inner join part_judged_shares as baseline_shares
    on
        baseline_run_id = baseline_shares.run_id
        and compared_groups.judgment_set_id = baseline_shares.judgment_set_id
        and compared_groups.measure = baseline_shares.measure
        and compared_groups.attribute is not distinct from baseline_shares.attribute
        and compared_groups.slice is not distinct from baseline_shares.slice
inner join part_judged_shares as candidate_shares
    on
        candidate_run_id = candidate_shares.run_id
        and compared_groups.judgment_set_id = candidate_shares.judgment_set_id
        and compared_groups.measure = candidate_shares.measure
        and compared_groups.attribute is not distinct from candidate_shares.attribute
        and compared_groups.slice is not distinct from candidate_shares.slice
where
    (compared_groups.attribute is not null) = $sliced
    and baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_run_id)
    and compared_groups.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_groups.measure)
