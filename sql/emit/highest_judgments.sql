-- One row is a judged document of a query, with the largest of its grades for
-- subtopics.
select
    subtopic_judgments.judgment_set_id, subtopic_judgments.query_id, subtopic_judgments.doc_id,
    max(subtopic_judgments.grade) as grade
from subtopic_judgments
group by subtopic_judgments.judgment_set_id, subtopic_judgments.query_id, subtopic_judgments.doc_id
