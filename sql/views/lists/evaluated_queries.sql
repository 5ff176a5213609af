-- One row is a judged query of an evaluation, whether the run answered it or
-- not. retrieved is the number of documents that the run returned for it, or 0.
select
    evaluations.run_id,
    runs.name as run,
    evaluations.judgment_set_id,
    judged_queries.query_id,
    coalesce(run_queries.retrieved, 0) as retrieved

from evaluations

inner join runs
    on evaluations.run_id = runs.run_id

inner join judged_queries
    on evaluations.judgment_set_id = judged_queries.judgment_set_id

left join run_queries
    on
        evaluations.run_id = run_queries.run_id
        and judged_queries.query_id = run_queries.query_id
