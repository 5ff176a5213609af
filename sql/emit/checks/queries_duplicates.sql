-- queries: a query is there twice; keep one of its rows
select count(*) as found

from given_queries

group by cast(given_queries.query_id as varchar)

having count(*) > 1
