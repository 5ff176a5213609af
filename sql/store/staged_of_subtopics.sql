-- One row is a judged document of a query, with the largest of its grades for
-- subtopics, and the label of that grade.
create or replace temp table staged as
select
    query_id, doc_id,
    max(grade) as grade,
    first(label order by grade desc, subtopic asc) as label
from staged_subtopics
group by query_id, doc_id
