-- One row is the value of a measure for a judged query of a run. If sliced, it
-- has the slice that the query belongs to.
select
    query_values.run,
    query_values.judgment_set,
    query_values.dataset,
    query_groups.slice,
    query_values.measure,
    query_values.query_id,
    query_values.value,
    query_values.nothing_relevant

from query_values

inner join query_groups using (judgment_set_id, query_id)

where
    list_contains($run_ids, query_values.run_id)
    and list_contains($judgment_set_ids, query_values.judgment_set_id)
    and list_contains($measures, query_values.measure)
    and (query_groups.attribute is not null) = $sliced

order by
    query_values.dataset,
    list_position($run_ids, query_values.run_id),
    query_values.query_id,
    list_position($measures, query_values.measure)
