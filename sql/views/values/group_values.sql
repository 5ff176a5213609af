-- One row is the value of a registered measure for a group of the judged queries of
-- an evaluation: all of them (attribute is null), or a slice (see query_groups). It
-- sums up values of queries, or is one of the run as a whole; the counts show what it
-- is based on. The tables stored_run_values and stored_weighted_values store the
-- values of all queries.
with valued as (

    select summarized_values.*

    from summarized_values

    union all

    select whole_run_values.*

    from whole_run_values

)

select
    runs.dataset,
    valued.run,
    judgment_sets.name as judgment_set,
    valued.* exclude (run)  -- noqa: RF02

from valued

inner join runs
    on
        valued.run_id = runs.run_id
        and valued.run = runs.name

inner join judgment_sets using (judgment_set_id)
