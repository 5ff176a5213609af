-- The number of subtopics of all queries of a judgment set, of their different
-- names, and of the judgments for them.
select
    count(distinct row(subtopic_judgments.query_id, subtopic_judgments.subtopic)) as subtopic_count,
    count(distinct subtopic_judgments.subtopic) as name_count,
    count(*) as judgment_count
from subtopic_judgments
where subtopic_judgments.judgment_set_id = $id
