-- One row is a document of a run without scores, at its position in the query.
select query_id, doc_id, position as rank
from rankings
where run_id = $id
order by query_id, position
