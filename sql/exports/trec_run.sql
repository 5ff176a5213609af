-- One row is a line of a TREC run file; its tag is the name of the run.
select
    rankings.query_id,
    'Q0' as iteration,
    rankings.doc_id,
    rankings.position as rank,
    rankings.score,
    replace(runs.name, ' ', '_') as tag
from rankings
inner join runs using (run_id)
where rankings.run_id = $id
order by rankings.query_id, rankings.position
