-- One row is a query whose value differs between two judgment sets; the largest
-- differences come first. A query that only one of the sets judges has one
-- value.
select
    value_changes.run,
    value_changes.measure,
    value_changes.query_id,
    value_changes.other_value as old_value,
    value_changes.value as new_value,
    value_changes.difference,
    value_changes.changes,
    value_changes.returned_changes

from value_changes

where
    value_changes.judgment_set_id = $judgment_set_id
    and value_changes.other_judgment_set_id = $other_judgment_set_id
    and list_contains($run_ids, value_changes.run_id)
    and list_contains($measures, value_changes.measure)
    and value_changes.value is distinct from value_changes.other_value

order by
    value_changes.run_id asc,
    list_position($measures, value_changes.measure) asc,
    abs(value_changes.difference) desc nulls first,
    value_changes.query_id asc
