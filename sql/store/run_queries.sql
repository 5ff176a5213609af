insert into run_queries by name
select
    all_run_queries.run_id,
    all_run_queries.query_id,
    all_run_queries.retrieved

from all_run_queries

where all_run_queries.run_id = $run_id
