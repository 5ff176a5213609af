-- One row is a query with the values of a measure for a candidate and the
-- baseline. The greatest loss is at place 1.
select
    compared_values.baseline,
    compared_values.candidate,
    compared_values.judgment_set,
    compared_values.dataset,
    compared_values.measure,
    row_number() over (
        partition by compared_values.candidate_run_id
        order by round(compared_values.difference, 12), compared_values.query_id
    ) as place,
    compared_values.query_id,
    case sign(round(compared_values.difference, 12))
        when 1 then 'win'
        when -1 then 'loss'
        else 'tie'
    end as outcome,
    compared_values.baseline_value,
    compared_values.candidate_value,
    compared_values.difference

from compared_values

where
    compared_values.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, compared_values.candidate_run_id)
    and compared_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, compared_values.measure)
    and compared_values.difference is not null

order by
    list_position($candidate_run_ids, compared_values.candidate_run_id),
    place
