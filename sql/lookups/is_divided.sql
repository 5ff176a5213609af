-- Whether no two of some runs answered the same judged query.
select count(*) = count(distinct evaluated_queries.query_id) as is_divided
from evaluated_queries
where
    list_contains($run_ids, evaluated_queries.run_id)
    and evaluated_queries.judgment_set_id = $judgment_set_id
    and evaluated_queries.retrieved > 0
