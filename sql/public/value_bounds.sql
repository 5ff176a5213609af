-- One row is the value of a registered measure for a judged query of a run,
-- with the lowest and the highest value that it could have if the unjudged
-- documents that the run returned were judged. Their grades are assumed to lie
-- between 0 and the highest grade of the judgment set. Measures for which the
-- bounds cannot be computed are omitted. The bounds of all runs are computed
-- for each answer, whatever the filter: for many queries, use the command
-- report --bounds, which reads only the runs and measures that it is given.
select
    value_bounds.dataset,
    value_bounds.run,
    value_bounds.judgment_set,
    value_bounds.query_id,
    value_bounds.measure,
    value_bounds.value,
    value_bounds.floor,
    value_bounds.ceiling,
    value_bounds.run_id,
    value_bounds.judgment_set_id

from store.value_bounds
