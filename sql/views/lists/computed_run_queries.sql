-- One row is a query that a run answered, with the number of documents that it
-- returned.
select
    rankings.run_id, rankings.query_id,
    count(*) as retrieved
from rankings
group by rankings.run_id, rankings.query_id
