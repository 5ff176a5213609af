-- One row is a run, with the number of queries that it answered.
select
    run_queries.run_id,
    run_queries.run_id as name,
    'emitted' as dataset,
    'score' as position_rule,
    count(*) as query_count

from run_queries

group by run_queries.run_id
