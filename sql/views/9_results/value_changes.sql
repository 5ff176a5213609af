-- One row is the value of a registered measure for a query of a run that was
-- evaluated with two judgment sets: beside the value under one set, that under
-- another, and how many judgments of the query differ between them, those of
-- documents that the run returned among them. A query that one set alone
-- judges has no value under the other.
with pairs as (

    select
        own.run_id,
        own.judgment_set_id,
        others.judgment_set_id as other_set_id

    from evaluations as own

    inner join evaluations as others
        on
            own.run_id = others.run_id
            and own.judgment_set_id <> others.judgment_set_id

),

both_sides as (

    select
        pairs.run_id,
        pairs.judgment_set_id,
        pairs.other_set_id,
        stored_values.measure,
        stored_values.query_id,
        stored_values.value,
        cast(null as double) as other_value

    from pairs

    inner join stored_values
        on
            pairs.run_id = stored_values.run_id
            and pairs.judgment_set_id = stored_values.judgment_set_id

    union all

    select
        pairs.run_id,
        pairs.judgment_set_id,
        pairs.other_set_id,
        stored_values.measure,
        stored_values.query_id,
        cast(null as double) as value,
        stored_values.value as other_value

    from pairs

    inner join stored_values
        on
            pairs.run_id = stored_values.run_id
            and pairs.other_set_id = stored_values.judgment_set_id

),

compared as (

    select
        both_sides.run_id,
        both_sides.judgment_set_id,
        both_sides.other_set_id,
        both_sides.measure,
        both_sides.query_id,
        max(both_sides.value) as value,
        max(both_sides.other_value) as other_value

    from both_sides

    group by
        both_sides.run_id,
        both_sides.judgment_set_id,
        both_sides.other_set_id,
        both_sides.measure,
        both_sides.query_id

),

changes as (

    select
        judgment_changes.judgment_set_id,
        judgment_changes.other_set_id,
        judgment_changes.query_id,
        count(*) as changes

    from judgment_changes

    group by
        judgment_changes.judgment_set_id,
        judgment_changes.other_set_id,
        judgment_changes.query_id

),

returned_changes as (

    select
        pairs.run_id,
        judgment_changes.judgment_set_id,
        judgment_changes.other_set_id,
        judgment_changes.query_id,
        count(*) as changes

    from pairs

    inner join judgment_changes
        on
            pairs.judgment_set_id = judgment_changes.judgment_set_id
            and pairs.other_set_id = judgment_changes.other_set_id

    inner join rankings
        on
            pairs.run_id = rankings.run_id
            and judgment_changes.query_id = rankings.query_id
            and judgment_changes.doc_id = rankings.doc_id

    group by
        pairs.run_id,
        judgment_changes.judgment_set_id,
        judgment_changes.other_set_id,
        judgment_changes.query_id

)

select
    runs.dataset,
    runs.name as run,
    judgment_sets.name as judgment_set,
    other_sets.name as other_set,
    compared.run_id,
    compared.judgment_set_id,
    compared.other_set_id,
    compared.measure,
    compared.query_id,
    compared.other_value,
    compared.value,
    compared.value - compared.other_value as difference,
    coalesce(changes.changes, 0) as changes,
    coalesce(returned_changes.changes, 0) as returned_changes

from compared

inner join runs
    on compared.run_id = runs.run_id

inner join judgment_sets
    on compared.judgment_set_id = judgment_sets.judgment_set_id

inner join judgment_sets as other_sets
    on compared.other_set_id = other_sets.judgment_set_id

left join changes
    on
        compared.judgment_set_id = changes.judgment_set_id
        and compared.other_set_id = changes.other_set_id
        and compared.query_id = changes.query_id

left join returned_changes
    on
        compared.run_id = returned_changes.run_id
        and compared.judgment_set_id = returned_changes.judgment_set_id
        and compared.other_set_id = returned_changes.other_set_id
        and compared.query_id = returned_changes.query_id
