-- The queries that fused runs answer, all of them without documents.
select query_id
from run_queries
where run_id in (select unnest($run_ids))
group by query_id
having sum(retrieved) = 0
order by query_id
