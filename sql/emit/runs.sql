-- One row is a run, with the number of queries that it answered.
select
    rankings.run_id,
    rankings.run_id as name,
    'emitted' as dataset,
    'score' as position_rule,
    count(distinct rankings.query_id) as query_count
from rankings
group by rankings.run_id
