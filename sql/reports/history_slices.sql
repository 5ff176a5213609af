-- One row is the value of a measure for a slice of a run's queries at the time of
-- the run, with the value of the previous one of the chosen runs in the same
-- series.
with chosen as (

    select
        slice_values.slice,
        slice_values.measure,
        run_series.tag,
        run_series.tag_value,
        run_series.made_at,
        slice_values.run,
        slice_values.value,
        slice_values.n,
        slice_values.judged_at_k,
        slice_values.judgment_set,
        slice_values.dataset,
        slice_values.run_id,
        slice_values.judgment_set_id

    from slice_values

    inner join run_series using (dataset, run_id, run)

    where
        list_contains($run_ids, slice_values.run_id)
        and list_contains($judgment_set_ids, slice_values.judgment_set_id)
        and list_contains($measures, slice_values.measure)
        and run_series.tag is not distinct from $tag
        and ($tag_value is null or run_series.tag_value = $tag_value)

)

select
    chosen.slice,
    chosen.measure,
    chosen.tag,
    chosen.tag_value,
    chosen.made_at,
    chosen.run,
    chosen.value,
    lag(chosen.run) over series_in_time as previous_run,
    lag(chosen.value) over series_in_time as previous_value,
    chosen.value - lag(chosen.value) over series_in_time as difference,
    chosen.n,
    chosen.judged_at_k,
    chosen.judgment_set,
    chosen.dataset

from chosen

window
    series_in_time as (
        partition by
            chosen.judgment_set_id,
            chosen.measure,
            chosen.slice,
            chosen.tag_value
        order by
            chosen.made_at,
            chosen.run_id
    )

order by
    chosen.dataset,
    list_position($measures, chosen.measure),
    chosen.slice nulls last,
    chosen.tag_value,
    chosen.made_at,
    chosen.run_id
