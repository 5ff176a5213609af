-- How many values some runs have of some measures.
select count(*) as value_count

from stored_values

where
    list_contains($run_ids, stored_values.run_id)
    and list_contains($measures, stored_values.measure)
