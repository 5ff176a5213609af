-- The values of slices of some runs, beside those of other runs that are there.
insert into sliced_values by name
select slice_values.*

from slice_values

where
    list_contains($run_ids, slice_values.run_id)
    and list_contains($judgment_set_ids, slice_values.judgment_set_id)
    and list_contains($measures, slice_values.measure)
