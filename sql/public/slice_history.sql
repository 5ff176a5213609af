-- One row is the value of a registered measure for a slice of a run's queries at
-- the time of the run, with the previous run of the same series, its value for
-- the same slice and the difference. If tag is null, the series consists of all
-- runs of the dataset; otherwise it consists of the runs with this value of the
-- tag. A run with tags therefore has several rows: filter by one tag, or by tag
-- is null, and by measure and attribute: the values of all queries that are left
-- are added up for each answer.
select
    slice_values.dataset,
    slice_values.judgment_set,
    slice_values.attribute,
    slice_values.slice as attribute_value,
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

from store.slice_values

inner join store.run_series using (dataset, run_id, run)

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
