-- One row is a line of a TREC run file; its tag is the name of the run.
select
    query_id,
    'Q0' as iteration,
    doc_id,
    position as rank,
    score,
    replace(name, ' ', '_') as tag
from rankings
inner join runs using (run_id)
where run_id = $id
order by query_id, position
