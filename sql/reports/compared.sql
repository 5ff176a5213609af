-- One row is the comparison of a candidate with the baseline by a measure.
select
    run_comparisons.baseline,
    run_comparisons.candidate,
    run_comparisons.candidate_run_id,
    run_comparisons.judgment_set,
    run_comparisons.dataset,
    cast(null as varchar) as attribute,
    cast(null as varchar) as slice,
    run_comparisons.measure,
    run_comparisons.n,
    run_comparisons.baseline_value,
    run_comparisons.candidate_value,
    run_comparisons.difference,
    run_comparisons.weighted_difference,
    run_comparisons.weighted_n,
    run_comparisons.wins,
    run_comparisons.ties,
    run_comparisons.losses,
    run_comparisons.standard_error,
    baseline_values.judged_at_k as baseline_judged_at_k,
    candidate_values.judged_at_k as candidate_judged_at_k

from run_comparisons

inner join stored_run_values as baseline_values
    on
        run_comparisons.baseline_run_id = baseline_values.run_id
        and run_comparisons.judgment_set_id = baseline_values.judgment_set_id
        and run_comparisons.measure = baseline_values.measure

inner join stored_run_values as candidate_values
    on
        run_comparisons.candidate_run_id = candidate_values.run_id
        and run_comparisons.judgment_set_id = candidate_values.judgment_set_id
        and run_comparisons.measure = candidate_values.measure

where
    run_comparisons.baseline_run_id = $baseline_run_id
    and run_comparisons.candidate_run_id = $candidate_run_ids[1]
    and run_comparisons.judgment_set_id = $judgment_set_id
    and run_comparisons.measure = $measures[1]
