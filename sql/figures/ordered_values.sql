-- One row is the value of a measure for a run at a cutoff, or at a level of
-- recall, in the order of the runs.
select
    values_along.run, values_along.judgment_set, values_along.dataset, values_along.measure,
    values_along.cutoff, values_along.level, values_along.value, values_along.n
from values_along
where list_contains($measures, values_along.measure)
order by
    list_position($run_ids, values_along.run_id),
    list_position($measures, values_along.measure)
