-- One row is the value of a registered measure for a slice of an evaluation at
-- the time of its run, with the previous run of the same series and the
-- difference from it in the same slice. slice is null for the queries whose value
-- of the attribute is not known.
select
    slice_values.dataset,
    slice_values.judgment_set,
    slice_values.attribute,
    slice_values.slice,
    slice_values.measure,
    run_series.tag,
    run_series.tag_value,
    run_series.made_at,
    slice_values.run,
    slice_values.value,
    lag(slice_values.run) over series_in_time as previous_run,
    lag(slice_values.value) over series_in_time as previous_value,
    slice_values.value
    - lag(slice_values.value) over series_in_time as difference,
    slice_values.weighted_value,
    slice_values.n,
    slice_values.weighted_n,
    slice_values.judged_at_k,
    slice_values.run_id,
    slice_values.judgment_set_id

from slice_values

inner join run_series using (dataset, run_id, run)

window series_in_time as (
    partition by
        slice_values.dataset,
        slice_values.judgment_set,
        slice_values.judgment_set_id,
        slice_values.attribute,
        slice_values.slice,
        slice_values.measure,
        run_series.tag,
        run_series.tag_value
    order by
        run_series.made_at,
        slice_values.run_id
)
