-- One row is a query that a run answered, with the number of documents that it
-- returned: 0 in an answer without documents. The table run_queries stores these rows.
select
    rankings.run_id, rankings.query_id,
    count(*) as retrieved
from rankings
group by rankings.run_id, rankings.query_id
union all
select
    empty_answers.run_id, empty_answers.query_id,
    0 as retrieved
from empty_answers
