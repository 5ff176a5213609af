-- The hits of a run, as a clean file was read.
insert into hits by name
select
    $run_id as run_id,
    $judgment_set_id as judgment_set_id,
    read_hits.query_id, read_hits.doc_id, read_hits.position, judgments.grade, read_hits.tie_first,
    read_hits.tie_last
from read_hits
inner join judgments using (query_id, doc_id)
where judgments.judgment_set_id = $judgment_set_id
