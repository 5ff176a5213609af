-- One row is a judged query of an evaluation, whether the run answered it or
-- not. retrieved is the number of documents that the run returned for it, or 0.
select
    evaluations.run_id,
    runs.name as run,
    evaluations.judgment_set_id,
    judged_queries.query_id,
    coalesce(run_queries.retrieved, 0) as retrieved

from evaluations

inner join runs using (run_id)

inner join judged_queries using (judgment_set_id)

left join run_queries using (run_id, query_id)
