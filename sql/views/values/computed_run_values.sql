-- One row is the value of a registered measure for all judged queries of an
-- evaluation. The table stored_run_values stores these rows.
select
    group_values.run_id,
    group_values.judgment_set_id,
    group_values.measure,
    group_values.value,
    group_values.n,
    group_values.no_relevant,
    group_values.judged_at_k,
    group_values.standard_error

from group_values

where group_values.attribute is null
