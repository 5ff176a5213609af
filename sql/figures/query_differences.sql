-- One row is a query with the values of a measure for a candidate and the
-- baseline. The greatest loss is at place 1.
select
    baseline, candidate, judgment_set, dataset, measure,
    row_number() over (
        partition by candidate_run_id
        order by round(difference, 12), query_id
    ) as place,
    query_id,
    ['loss', 'tie', 'win'][cast(sign(round(difference, 12)) as integer) + 2] as outcome,
    baseline_value, candidate_value, difference
from compared_values
where
    baseline_run_id = $baseline_run_id
    and list_contains($candidate_run_ids, candidate_run_id)
    and judgment_set_id = $judgment_set_id
    and list_contains($measures, measure)
    and difference is not null
order by list_position($candidate_run_ids, candidate_run_id), place
