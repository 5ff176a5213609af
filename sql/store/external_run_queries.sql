insert into external_run_queries by name
select
    $run_id as run_id,
    staged_run_queries.query_id, staged_run_queries.retrieved
from staged_run_queries
where staged_run_queries.run = $run
order by staged_run_queries.query_id
