-- One row is the value of a registered measure for an evaluation at the time of
-- its run, with the previous run of the same series and the difference from it.
-- If tag is null, the series consists of all runs of the dataset; otherwise it
-- consists of the runs with this value of the tag. The time is when the system
-- produced the run, or when the run was loaded if that is not known.
with series as (

    select
        runs.run_id,
        cast(null as varchar) as tag,
        cast(null as varchar) as tag_value

    from runs

    union all

    select
        run_tags.run_id,
        run_tags.tag,
        run_tags.tag_value

    from run_tags

),

timed as (

    select
        runs.dataset,
        judgment_sets.name as judgment_set,
        stored_run_values.measure,
        series.tag,
        series.tag_value,
        coalesce(runs.run_at, runs.loaded_at) as made_at,
        runs.name as run,
        stored_run_values.value,
        stored_run_values.n,
        stored_run_values.judged_at_k,
        stored_run_values.run_id,
        stored_run_values.judgment_set_id

    from stored_run_values

    inner join runs using (run_id)

    inner join judgment_sets using (judgment_set_id)

    inner join series using (run_id)

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
