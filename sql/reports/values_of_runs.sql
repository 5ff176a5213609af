-- One row is a run with its values of a measure, for all queries or for a slice
-- of them. The values are in the order of the queries, and only queries for
-- which all of the runs have a value are included.
with complete as (

    select
        query_values.run_id,
        query_values.measure,
        query_values.query_id,
        query_slices.attribute,
        query_slices.slice,
        query_values.value,
        count(query_values.value) over (
            partition by
                query_values.measure,
                query_values.query_id,
                query_slices.attribute
        ) as runs

    from query_values

    left join query_slices
        on
            query_values.judgment_set_id = query_slices.judgment_set_id
            and query_values.query_id = query_slices.query_id
            and $sliced

    where
        list_contains($run_ids, query_values.run_id)
        and query_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, query_values.measure)

)

select
    complete.run_id,
    complete.measure,
    complete.attribute,
    complete.slice,
    list(complete.value order by complete.query_id) as query_values

from complete

where complete.runs = len($run_ids)

group by
    complete.run_id,
    complete.measure,
    complete.attribute,
    complete.slice
