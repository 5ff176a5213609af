-- The number of subtopics of all queries of a judgment set, of their different
-- names, and of the judgments for them.
select
    count(distinct row(query_id, subtopic)) as subtopic_count,
    count(distinct subtopic) as name_count,
    count(*) as judgment_count
from subtopic_judgments
where judgment_set_id = $id
