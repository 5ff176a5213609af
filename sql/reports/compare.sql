-- One row is the comparison of a candidate with the baseline by a measure, with
-- the results of tests.
select
    compared.baseline,
    compared.candidate,
    compared.judgment_set,
    compared.dataset,
    compared.attribute,
    compared.slice,
    compared.measure,
    compared.n,
    compared.baseline_value,
    compared.candidate_value,
    compared.difference,
    -- Values of utility can be negative.
    compared.difference / nullif(abs(compared.baseline_value), 0)
        as relative_difference,
    -- One column for each statistic.
    statistics.* exclude (row_id),  -- noqa: RF02
    compared.wins,
    compared.ties,
    compared.losses,
    compared.weighted_difference,
    compared.weighted_n,
    compared.standard_error,
    compared.baseline_judged_at_k,
    compared.candidate_judged_at_k

from compared

inner join statistics
    on compared.rowid = statistics.row_id

order by
    compared.attribute,
    compared.slice nulls last,
    list_position($candidate_run_ids, compared.candidate_run_id),
    list_position($measures, compared.measure)
