-- The values of slices of some runs, beside those of other runs that are there.
insert into sliced_values by name
select group_values.*

from group_values

where
    list_contains($run_ids, group_values.run_id)
    and list_contains($judgment_set_ids, group_values.judgment_set_id)
    and list_contains($measures, group_values.measure)
    and group_values.attribute is not null
