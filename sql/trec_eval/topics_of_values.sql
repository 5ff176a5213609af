-- One row is a query whose judgments have groups; answered is true if the run
-- contains it.
select
    staged.query_id,
    answered_queries.query_id is not null as answered

from staged

left join answered_queries using (query_id)

group by
    staged.query_id,
    answered_queries.query_id

order by staged.query_id
