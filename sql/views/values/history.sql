-- One row is the value of a registered measure for an evaluation at the time of
-- its run, with the previous run of the same series and the difference from it.
with timed as (

    select
        run_series.dataset,
        judgment_sets.name as judgment_set,
        stored_run_values.measure,
        run_series.tag,
        run_series.tag_value,
        run_series.made_at,
        run_series.run,
        stored_run_values.value,
        stored_run_values.n,
        stored_run_values.judged_at_k,
        stored_run_values.run_id,
        stored_run_values.judgment_set_id

    from stored_run_values

    inner join run_series using (run_id)

    inner join judgment_sets using (judgment_set_id)

)

select
    timed.dataset,
    timed.judgment_set,
    timed.measure,
    timed.tag,
    timed.tag_value,
    timed.made_at,
    timed.run,
    timed.value,
    lag(timed.run) over series_in_time as previous_run,
    lag(timed.value) over series_in_time as previous_value,
    timed.value - lag(timed.value) over series_in_time as difference,
    timed.n,
    timed.judged_at_k,
    timed.run_id,
    timed.judgment_set_id

from timed

window series_in_time as (
    partition by
        timed.judgment_set_id,
        timed.measure,
        timed.tag,
        timed.tag_value
    order by
        timed.made_at,
        timed.run_id
)
