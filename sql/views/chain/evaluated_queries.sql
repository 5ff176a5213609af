-- One row is a judged query of an evaluation, whether the run answered it or not. retrieved is the
-- number of documents that the run returned for it, or 0. A run that has only loaded values has
-- none of these rows.
select
    run_id, judgment_set_id, query_id,
    coalesce(retrieved, 0) as retrieved
from evaluations
inner join judged_queries using (judgment_set_id)
left join run_queries using (run_id, query_id)
where answered + unanswered > 0
