insert into external_hits by name
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    staged_hits.query_id, staged_hits.doc_id, staged_hits.position, staged_hits.tie_first,
    staged_hits.tie_last
from staged_hits
where staged_hits.run = $run
order by staged_hits.query_id, staged_hits.position
