insert into hits by name
select
    all_hits.run_id,
    all_hits.judgment_set_id,
    all_hits.query_id,
    all_hits.doc_id,
    all_hits.position,
    all_hits.grade,
    all_hits.tie_first,
    all_hits.tie_last

from all_hits

where
    all_hits.run_id = $run_id
    and all_hits.judgment_set_id = $judgment_set_id
