-- One row is a run with its values of a measure for the queries of a page, in
-- the order of their ids; null where a query has none.
with valued as (
    select
        query_values.run_id, query_values.measure, query_values.query_id, query_values.value
    from query_values
    inner join page_queries using (query_id)
    where
        list_contains($run_ids, query_values.run_id)
        and query_values.judgment_set_id = $judgment_set_id
        and list_contains($measures, query_values.measure)
),

lists as (
    select distinct
        valued.run_id, valued.measure
    from valued
)

select
    lists.run_id, lists.measure,
    list(valued.value order by page_queries.query_id) as query_values
from lists
cross join page_queries
left join valued using (run_id, measure, query_id)
group by lists.run_id, lists.measure
