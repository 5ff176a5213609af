-- One row is a document judged for a subtopic.
select
    subtopic_judgments.query_id, subtopic_judgments.subtopic, subtopic_judgments.doc_id,
    subtopic_judgments.grade, subtopic_judgments.label
from subtopic_judgments
where subtopic_judgments.judgment_set_id = $id
order by subtopic_judgments.query_id, subtopic_judgments.subtopic, subtopic_judgments.doc_id
