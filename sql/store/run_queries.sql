insert into run_queries (
    run_id,
    query_id,
    retrieved
)
select
    computed_run_queries.run_id,
    computed_run_queries.query_id,
    computed_run_queries.retrieved

from computed_run_queries

where computed_run_queries.run_id = $run_id
