-- One row is a query of a run: how many documents it shows.
select
    fused_runs.place,
    run_queries.query_id,
    run_queries.retrieved as shown

from run_queries

inner join fused_runs using (run_id)
