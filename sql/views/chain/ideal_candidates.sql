-- One row is a document that an ideal list may have: each judged one, which all runs share (list_id
-- 0), or those of a run's list (list_id = run_id). length is the most that it may have.
select
    0 as list_id,
    judgment_set_id, query_id, doc_id, grade, basis, gain_scheme,
    1e9 as length
from judged_documents
inner join bases using (known)
where ideal = 'judged'
union all
select
    run_id as list_id,
    judgment_set_id, query_id, doc_id, grade, basis, gain_scheme,
    listed as length
from judged_documents
inner join listed_queries using (judgment_set_id, query_id, known)
inner join run_ideals using (known, judged_only)
where ideal = 'returned'
union all
select
    run_id as list_id,
    judgment_set_id, query_id, doc_id, grade, basis, gain_scheme,
    1e9 as length
from lists
inner join run_ideals using (known, judged_only)
where ideal in ('retrieved', 'topk') and position <= ideal_reach
