insert into external_hits (
    run_id,
    judgment_set_id,
    query_id,
    doc_id,
    position,
    tie_first,
    tie_last
)
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    staged_hits.query_id,
    staged_hits.doc_id,
    staged_hits.position,
    staged_hits.tie_first,
    staged_hits.tie_last

from staged_hits

where staged_hits.run = $run

order by
    staged_hits.query_id,
    staged_hits.position
