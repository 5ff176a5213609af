-- A judged query of an evaluation, with the number of documents that the run returned, or 0.
select
    run_id, judgment_set_id, query_id,
    coalesce(retrieved, 0) as retrieved
from evaluations
inner join judged_queries using (judgment_set_id)
left join run_queries using (run_id, query_id)
