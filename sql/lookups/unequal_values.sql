-- Values that another engine and the views do not agree on, or that only one of
-- them has; a difference up to 1e-9 of a value is one of rounding.
with runs_by_name as (

    select
        unnest($runs) as run,
        unnest($run_ids) as run_id

),

theirs as (

    select
        runs_by_name.run,
        runs_by_name.run_id,
        staged_query_values.measure,
        staged_query_values.query_id,
        staged_query_values.value

    from staged_query_values

    inner join runs_by_name
        on staged_query_values.run = runs_by_name.run

),

ours as (

    select
        runs_by_name.run,
        runs_by_name.run_id,
        stored_values.measure,
        stored_values.query_id,
        stored_values.value

    from stored_values

    inner join runs_by_name
        on stored_values.run_id = runs_by_name.run_id

    where list_contains($measures, stored_values.measure)

)

select
    coalesce(theirs.run, ours.run) as run,
    coalesce(theirs.measure, ours.measure) as measure,
    coalesce(theirs.query_id, ours.query_id) as query_id,
    case
        when theirs.query_id is null then 'missing'
        else coalesce(cast(theirs.value as varchar), 'null')
    end as their_value,
    case
        when ours.query_id is null then 'missing'
        else coalesce(cast(ours.value as varchar), 'null')
    end as our_value

from theirs

full join ours
    on
        theirs.run_id = ours.run_id
        and theirs.measure = ours.measure
        and theirs.query_id = ours.query_id

where
    theirs.query_id is null
    or ours.query_id is null
    or (theirs.value is null) <> (ours.value is null)
    or not abs(theirs.value - ours.value)
    <= 1e-9 * greatest(1, abs(ours.value))

order by
    run,
    measure,
    query_id
