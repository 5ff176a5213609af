-- One row is a run with its values of a measure for the queries of a page, in
-- the order of their ids; null where a query has none.
with valued as (
    select run_id, measure, query_id, value
    from query_values
    inner join page_queries using (query_id)
    where
        list_contains($run_ids, run_id)
        and judgment_set_id = $judgment_set_id
        and list_contains($measures, measure)
),

lists as (
    select distinct run_id, measure
    from valued
)

select
    run_id, measure,
    list(value order by query_id) as query_values
from lists
cross join page_queries
left join valued using (run_id, measure, query_id)
group by all
