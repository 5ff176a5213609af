-- One row is the value of a measure for a run or a slice of its queries at the time
-- of the run, with the value of the previous one of the chosen runs in the same
-- series.
select
    run_values.slice,
    run_values.measure,
    run_series.tag,
    run_series.tag_value,
    run_series.made_at,
    run_values.run,
    run_values.value,
    lag(run_values.run) over series_in_time as previous_run,
    lag(run_values.value) over series_in_time as previous_value,
    run_values.value
    - lag(run_values.value) over series_in_time as difference,
    run_values.n,
    run_values.judged_at_k,
    run_values.judgment_set,
    run_values.dataset
from run_values
inner join run_series using (dataset, run_id, run)
where
    list_contains($run_ids, run_values.run_id)
    and list_contains($judgment_set_ids, run_values.judgment_set_id)
    and list_contains($measures, run_values.measure)
    and run_series.tag is not distinct from $tag
    and ($tag_value is null or run_series.tag_value = $tag_value)
window
    series_in_time as (
        partition by
            run_values.judgment_set_id,
            run_values.measure,
            run_values.slice,
            run_series.tag_value
        order by
            run_series.made_at,
            run_values.run_id
    )
order by
    run_values.dataset,
    list_position($measures, run_values.measure),
    run_values.slice nulls last,
    run_series.tag_value,
    run_series.made_at,
    run_values.run_id
