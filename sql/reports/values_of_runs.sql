-- One row is a run with its values of a measure, for all queries or for a slice
-- of them. The values are in the order of the queries; NaN stands for a query
-- without a value.
select
    query_values.run_id, query_values.measure, query_groups.attribute, query_groups.slice,
    list(
        coalesce(query_values.value, cast('nan' as double))
        order by query_values.query_id
    ) as query_values
from query_values
inner join query_groups using (judgment_set_id, query_id)
where
    list_contains($run_ids, query_values.run_id)
    and query_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, query_values.measure)
    and (query_groups.attribute is not null) = $sliced
group by all
