-- One row is the value of a registered measure for an evaluation at the time
-- of its run, with the run before in the same series and the difference to
-- it. Where tag is null the series is all runs of the dataset; elsewhere it is
-- those with this value of the tag. The time is that when the system produced
-- the run, or when it was loaded, if nobody said.
with series as (

    select
        stored_run_values.run_id,
        stored_run_values.judgment_set_id,
        stored_run_values.measure,
        cast(null as varchar) as tag,
        cast(null as varchar) as tag_value

    from stored_run_values

    union all

    select
        stored_run_values.run_id,
        stored_run_values.judgment_set_id,
        stored_run_values.measure,
        run_tags.tag,
        run_tags.value as tag_value

    from stored_run_values

    inner join run_tags
        on stored_run_values.run_id = run_tags.run_id

),

timed as (

    select
        runs.dataset,
        runs.name as run,
        judgment_sets.name as judgment_set,
        stored_run_values.run_id,
        stored_run_values.judgment_set_id,
        stored_run_values.measure,
        series.tag,
        series.tag_value,
        coalesce(runs.run_at, runs.loaded_at) as made_at,
        stored_run_values.value,
        stored_run_values.n,
        stored_run_values.judged_at_k

    from series

    inner join stored_run_values
        on
            series.run_id = stored_run_values.run_id
            and series.judgment_set_id = stored_run_values.judgment_set_id
            and series.measure = stored_run_values.measure

    inner join runs
        on series.run_id = runs.run_id

    inner join judgment_sets
        on series.judgment_set_id = judgment_sets.judgment_set_id

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
    lag(timed.run) over (
        partition by
            timed.judgment_set_id,
            timed.measure,
            timed.tag,
            timed.tag_value
        order by
            timed.made_at,
            timed.run_id
    ) as previous_run,
    lag(timed.value) over (
        partition by
            timed.judgment_set_id,
            timed.measure,
            timed.tag,
            timed.tag_value
        order by
            timed.made_at,
            timed.run_id
    ) as previous_value,
    timed.value - lag(timed.value) over (
        partition by
            timed.judgment_set_id,
            timed.measure,
            timed.tag,
            timed.tag_value
        order by
            timed.made_at,
            timed.run_id
    ) as difference,
    timed.n,
    timed.judged_at_k,
    timed.run_id,
    timed.judgment_set_id

from timed
