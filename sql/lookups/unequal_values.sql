-- A value that another engine and the views do not agree on, or that is not once
-- on both sides, and how many there are. A difference up to 1e-9 of a value is
-- one of rounding. Values of runs that are known already are not compared.
with runs_by_name as (
    select
        unnest($runs) as run,
        unnest($run_ids) as run_id
),

theirs as (
    select
        staged_query_values.run, runs_by_name.run_id, staged_query_values.measure,
        staged_query_values.query_id,
        any_value(staged_query_values.value) as value,
        count(*) as times
    from staged_query_values
    left join runs_by_name using (run)
    where
        not list_contains(
            $known_runs, staged_query_values.run  -- noqa: RF02
        )
    group by all
),

ours as (
    select
        runs_by_name.run, runs_by_name.run_id, stored_values.measure, stored_values.query_id,
        stored_values.value
    from stored_values
    inner join runs_by_name using (run_id)
    where list_contains($measures, stored_values.measure)
)

select
    coalesce(theirs.run, ours.run) as run,
    coalesce(theirs.measure, ours.measure) as measure,
    coalesce(theirs.query_id, ours.query_id) as query_id,
    case
        when theirs.times is null then 'missing'
        when theirs.times > 1 then 'there twice'
        else coalesce(cast(theirs.value as varchar), 'null')
    end as their_value,
    case
        when ours.query_id is null then 'missing'
        else coalesce(cast(ours.value as varchar), 'null')
    end as our_value,
    count(*) over () as value_count
from theirs
full join ours
    on
        theirs.run_id = ours.run_id
        and theirs.measure = ours.measure
        and theirs.query_id = ours.query_id
where
    theirs.times is distinct from 1
    or ours.query_id is null
    or (theirs.value is null) <> (ours.value is null)
    or not abs(theirs.value - ours.value)
    <= 1e-9 * greatest(1, abs(ours.value))
order by run, measure, query_id
limit 1
