-- One row is a query with the values of a measure for a candidate and the
-- baseline. The greatest loss is at place 1.
select
    comparisons.baseline,
    comparisons.candidate,
    comparisons.judgment_set,
    comparisons.dataset,
    comparisons.measure,
    row_number() over (
        partition by comparisons.candidate_run_id
        order by round(comparisons.difference, 12), comparisons.query_id
    ) as place,
    comparisons.query_id,
    case sign(round(comparisons.difference, 12))
        when 1 then 'win'
        when -1 then 'loss'
        else 'tie'
    end as outcome,
    comparisons.baseline_value,
    comparisons.candidate_value,
    comparisons.difference

from comparisons

where
    comparisons.baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, comparisons.candidate_run_id)
    and comparisons.judgment_set_id = $judgment_set_id
    and list_contains($measures, comparisons.measure)
    and comparisons.difference is not null

order by
    list_position($candidate_run_ids, comparisons.candidate_run_id),
    place
