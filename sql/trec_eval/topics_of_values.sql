-- One row is a query with preferences; answered tells whether it is in the run.
select
    topic_values.query_id,
    answered_queries.query_id is not null as answered

from topic_values

left join answered_queries
    on topic_values.query_id = answered_queries.query_id

group by
    topic_values.query_id,
    answered_queries.query_id

order by topic_values.query_id
