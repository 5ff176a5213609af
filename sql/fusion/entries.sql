-- One row is a document that a run shows for a query.
select place, query_id, doc_id, position, score
from rankings
inner join fused_runs using (run_id)
