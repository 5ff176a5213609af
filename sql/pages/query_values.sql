-- One row is a run with its values of a measure for the queries of a page, in
-- the order of their ids.
select
    query_values.run_id, query_values.measure,
    list(query_values.value order by query_values.query_id) as query_values
from query_values
inner join page_queries using (query_id)
where
    list_contains($run_ids, query_values.run_id)
    and query_values.judgment_set_id = $judgment_set_id
    and list_contains($measures, query_values.measure)
group by query_values.run_id, query_values.measure
