-- One row is a judged document.
select
    judgments.query_id, judgments.doc_id, judgments.grade, judgments.label
from judgments
where judgments.judgment_set_id = $id
order by judgments.query_id, judgments.doc_id
