-- One row is a document that a run shows for a query.
select
    fused_runs.place,
    fused_runs.weight,
    fused_runs.k,
    rankings.query_id,
    rankings.doc_id,
    rankings.position,
    rankings.score

from rankings

inner join fused_runs using (run_id)
