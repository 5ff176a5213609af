-- One row is a document judged for a subtopic.
select query_id, subtopic, doc_id, grade, label
from subtopic_judgments
where judgment_set_id = $id
order by query_id, subtopic, doc_id
