-- Whether some runs, of which several answered judged queries, never answered the same.
select
    count(distinct evaluated_queries.run_id) > 1
    and count(*) = count(distinct evaluated_queries.query_id) as is_divided
from evaluated_queries
where
    list_contains($run_ids, evaluated_queries.run_id)
    and evaluated_queries.judgment_set_id = $judgment_set_id
    and evaluated_queries.retrieved > 0
