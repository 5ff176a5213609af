-- judged_subtopics: a judged document of a subtopic of a query, with all others (known = 'keep') or
-- with those alone that the query does not know ('omit').
select
    judgment_set_id, query_id, subtopic, doc_id, grade,
    'keep' as known
from subtopic_judgments
union all
select
    judgment_set_id, query_id, subtopic, doc_id, subtopic_judgments.grade,
    'omit' as known
from subtopic_judgments
inner join new_judgments using (judgment_set_id, query_id, doc_id)
