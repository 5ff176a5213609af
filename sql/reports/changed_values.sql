-- One row is a query whose value differs between two judgment sets; the largest
-- differences come first. A query that only one of the sets judges has one
-- value.
select
    runs.name as run,
    measure,
    query_id,
    other_value as old_value,
    value as new_value,
    difference,
    changes,
    returned_changes
from value_changes
inner join runs using (run_id)
where
    judgment_set_id = $judgment_set_id
    and other_judgment_set_id = $other_judgment_set_id
    and list_contains($run_ids, run_id)
    and list_contains($measures, measure)
    and value is distinct from other_value
order by
    run_id asc,
    list_position($measures, measure) asc,
    abs(difference) desc nulls first,
    query_id asc
