-- queries: a query is there twice; keep one of its rows
select cast(given_queries.query_id as varchar) as query_id
from given_queries
group by all
having count(*) > 1
