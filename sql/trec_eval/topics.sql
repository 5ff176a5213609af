-- One row is a judged query; answered is true if the run contains it.
select
    judged_queries.query_id,
    answered_queries.query_id is not null as answered
from judged_queries
left join answered_queries using (query_id)
order by judged_queries.query_id
