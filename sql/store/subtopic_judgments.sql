insert into subtopic_judgments by name
select
    $judgment_set_id as judgment_set_id,
    staged_subtopics.query_id, staged_subtopics.subtopic, staged_subtopics.doc_id,
    staged_subtopics.grade, staged_subtopics.label
from staged_subtopics
order by staged_subtopics.query_id, staged_subtopics.subtopic, staged_subtopics.doc_id
