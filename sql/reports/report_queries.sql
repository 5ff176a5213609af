-- One row is the value of a measure for a judged query of a run. If sliced, it
-- has the slice that the query belongs to.
select
    run, judgment_set, dataset, slice, measure, query_id, value, nothing_relevant
from query_values
inner join query_groups using (judgment_set_id, query_id)
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
    and (attribute is not null) = $sliced
order by dataset, list_position($run_ids, run_id), query_id, list_position($measures, measure)
