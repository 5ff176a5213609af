-- One row is the value of a registered measure for a query of a run that was
-- evaluated with two judgment sets: the value under one set next to the value
-- under the other. changes is the number of judgments of the query that differ
-- between the sets, returned_changes the number of those whose documents the
-- run returned. A query that only one of the sets judges has no value under the
-- other.
with changes as (

    select
        judgment_changes.judgment_set_id,
        judgment_changes.other_judgment_set_id,
        judgment_changes.query_id,
        count(*) as changes

    from judgment_changes

    group by
        judgment_changes.judgment_set_id,
        judgment_changes.other_judgment_set_id,
        judgment_changes.query_id

),

returned_changes as (

    select
        evaluations.run_id,
        judgment_changes.judgment_set_id,
        judgment_changes.other_judgment_set_id,
        judgment_changes.query_id,
        count(*) as changes

    from evaluations

    inner join judgment_changes using (judgment_set_id)

    inner join rankings using (run_id, query_id, doc_id)

    group by
        evaluations.run_id,
        judgment_changes.judgment_set_id,
        judgment_changes.other_judgment_set_id,
        judgment_changes.query_id

)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    other_sets.name as other_judgment_set,
    rejudged_values.run_id,
    rejudged_values.judgment_set_id,
    rejudged_values.other_judgment_set_id,
    rejudged_values.measure,
    rejudged_values.query_id,
    rejudged_values.other_value,
    rejudged_values.value,
    rejudged_values.difference,
    coalesce(changes.changes, 0) as changes,
    coalesce(returned_changes.changes, 0) as returned_changes

from rejudged_values

inner join runs using (run_id)

inner join judgment_sets using (judgment_set_id)

inner join judgment_sets as other_sets
    on rejudged_values.other_judgment_set_id = other_sets.judgment_set_id

left join changes
    on
        rejudged_values.judgment_set_id = changes.judgment_set_id
        and rejudged_values.other_judgment_set_id
        = changes.other_judgment_set_id
        and rejudged_values.query_id = changes.query_id

left join returned_changes
    on
        rejudged_values.run_id = returned_changes.run_id
        and rejudged_values.judgment_set_id = returned_changes.judgment_set_id
        and rejudged_values.other_judgment_set_id
        = returned_changes.other_judgment_set_id
        and rejudged_values.query_id = returned_changes.query_id
