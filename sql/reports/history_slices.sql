-- One row is the value of a measure for a slice of a run's queries at the time of
-- the run, with the value of the previous one of the chosen runs in the same
-- series.
select
    slice_history.slice,
    slice_history.measure,
    slice_history.tag,
    slice_history.tag_value,
    slice_history.made_at,
    slice_history.run,
    slice_history.value,
    lag(slice_history.run) over series_in_time as previous_run,
    lag(slice_history.value) over series_in_time as previous_value,
    slice_history.value
    - lag(slice_history.value) over series_in_time as difference,
    slice_history.n,
    slice_history.judged_at_k,
    slice_history.judgment_set,
    slice_history.dataset

from slice_history

where
    list_contains($run_ids, slice_history.run_id)
    and list_contains($judgment_set_ids, slice_history.judgment_set_id)
    and list_contains($measures, slice_history.measure)
    and slice_history.tag is not distinct from $tag
    and ($tag_value is null or slice_history.tag_value = $tag_value)

window
    series_in_time as (
        partition by
            slice_history.judgment_set_id,
            slice_history.measure,
            slice_history.slice,
            slice_history.tag_value
        order by
            slice_history.made_at,
            slice_history.run_id
    )

order by
    slice_history.dataset,
    list_position($measures, slice_history.measure),
    slice_history.slice nulls last,
    slice_history.tag_value,
    slice_history.made_at,
    slice_history.run_id
