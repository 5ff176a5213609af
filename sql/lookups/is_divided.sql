-- Whether some runs, of which several answered judged queries, never answered the same.
select
    count(distinct run_id) > 1 and count(*) = count(distinct query_id) as is_divided
from evaluated_queries
where
    list_contains($run_ids, run_id)
    and judgment_set_id = $judgment_set_id
    and retrieved > 0
