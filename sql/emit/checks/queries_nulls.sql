-- queries: a query id is null; remove or repair these rows
select given_queries.query_id
from given_queries
where given_queries.query_id is null
