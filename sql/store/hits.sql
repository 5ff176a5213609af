insert into hits (
    run_id,
    judgment_set_id,
    query_id,
    doc_id,
    position,
    grade,
    tie_first,
    tie_last
)
select
    computed_hits.run_id,
    computed_hits.judgment_set_id,
    computed_hits.query_id,
    computed_hits.doc_id,
    computed_hits.position,
    computed_hits.grade,
    computed_hits.tie_first,
    computed_hits.tie_last

from computed_hits

where
    computed_hits.run_id = $run_id
    and computed_hits.judgment_set_id = $judgment_set_id
