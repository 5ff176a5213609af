-- One row is a document of a run without scores, at its position in the query.
select
    rankings.query_id, rankings.doc_id,
    rankings.position as rank
from rankings
where rankings.run_id = $id
order by rankings.query_id, rankings.position
