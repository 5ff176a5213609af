-- One row is the value of a measure for a run or a slice of its queries at the time
-- of the run, with the value of the previous one of the chosen runs in the same
-- series.
select
    part_values.slice,
    part_values.measure,
    run_series.tag,
    run_series.tag_value,
    run_series.made_at,
    part_values.run,
    part_values.value,
    lag(part_values.run) over series_in_time as previous_run,
    lag(part_values.value) over series_in_time as previous_value,
    part_values.value
    - lag(part_values.value) over series_in_time as difference,
    part_values.n,
    part_values.judged_at_k,
    part_values.judgment_set,
    part_values.dataset

from part_values

inner join run_series using (dataset, run_id, run)

where
    list_contains($run_ids, part_values.run_id)
    and list_contains($judgment_set_ids, part_values.judgment_set_id)
    and list_contains($measures, part_values.measure)
    and run_series.tag is not distinct from $tag
    and ($tag_value is null or run_series.tag_value = $tag_value)

window
    series_in_time as (
        partition by
            part_values.judgment_set_id,
            part_values.measure,
            part_values.slice,
            run_series.tag_value
        order by
            run_series.made_at,
            part_values.run_id
    )

order by
    part_values.dataset,
    list_position($measures, part_values.measure),
    part_values.slice nulls last,
    run_series.tag_value,
    run_series.made_at,
    part_values.run_id
