-- A judged document of a query, with the largest of its grades for subtopics.
select judgment_set_id, query_id, doc_id, max(grade) as grade
from subtopic_judgments
group by all
