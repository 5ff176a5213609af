-- One row is the value of a measure for a run or a slice of its queries at the time
-- of the run, with the value of the previous one of the chosen runs in the same
-- series.
select
    slice, measure, tag, tag_value, made_at, run, value,
    lag(run) over series_in_time as previous_run,
    lag(value) over series_in_time as previous_value,
    value - lag(value) over series_in_time as difference,
    n, judged_at_k, judgment_set, dataset
from run_values
inner join run_series using (dataset, run_id, run)
where
    list_contains($run_ids, run_id)
    and list_contains($judgment_set_ids, judgment_set_id)
    and list_contains($measures, measure)
    and tag is not distinct from $tag
    and ($tag_value is null or tag_value = $tag_value)
window
    series_in_time as (
        partition by judgment_set_id, measure, slice, tag_value
        order by made_at, run_id
    )
order by
    dataset,
    list_position($measures, measure),
    slice nulls last,
    tag_value, made_at, run_id
