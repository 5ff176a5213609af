-- One row is a run with its values of a measure, for all queries or for a slice
-- of them. The values are in the order of the queries; NaN stands for a query
-- without a value.
select
    query_values.run_id,
    query_values.measure,
    query_slices.attribute,
    query_slices.slice,
    list(
        coalesce(query_values.value, cast('nan' as double))
        order by query_values.query_id
    ) as query_values

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

group by
    query_values.run_id,
    query_values.measure,
    query_slices.attribute,
    query_slices.slice
