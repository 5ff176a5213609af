-- One row is a judged document.
select query_id, doc_id, grade, label
from judgments
where judgment_set_id = $id
order by query_id, doc_id
