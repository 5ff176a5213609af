-- One row is a judged document of a query, with the largest of its grades for
-- subtopics, and the label of that grade.
create or replace temp table staged as
select
    staged_subtopics.query_id, staged_subtopics.doc_id,
    max(staged_subtopics.grade) as grade,
    first(
        staged_subtopics.label
        order by staged_subtopics.grade desc, staged_subtopics.subtopic asc
    ) as label
from staged_subtopics
group by all
