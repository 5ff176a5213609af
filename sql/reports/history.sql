-- One row is the value of a measure for a run at the time of the run, with the
-- value of the previous one of the chosen runs in the same series.
select
    history.measure,
    history.tag,
    history.tag_value,
    history.made_at,
    history.run,
    history.value,
    lag(history.run) over series_in_time as previous_run,
    lag(history.value) over series_in_time as previous_value,
    history.value - lag(history.value) over series_in_time as difference,
    history.n,
    history.judged_at_k,
    history.judgment_set,
    history.dataset

from history

where
    list_contains($run_ids, history.run_id)
    and list_contains($judgment_set_ids, history.judgment_set_id)
    and list_contains($measures, history.measure)
    and history.tag is not distinct from $tag
    and ($tag_value is null or history.tag_value = $tag_value)

window
    series_in_time as (
        partition by
            history.judgment_set_id,
            history.measure,
            history.tag_value
        order by
            history.made_at,
            history.run_id
    )

order by
    history.dataset,
    list_position($measures, history.measure),
    history.tag_value,
    history.made_at,
    history.run_id
