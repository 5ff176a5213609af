-- One row is how many judged documents of a query gain something (R), how many do not, and the most
-- that one gains; of measures of subtopics, how many subtopics have a relevant document.
select
    judgment_set_id, query_id, basis,
    count(*) filter (gain > 0) as relevant,
    count(*) filter (grade >= 0 and gain <= 0) as not_relevant,
    max(gain) as best_gain
from judged_documents
inner join bases using (known)
inner join grade_gains using (judgment_set_id, grade, basis)
group by all
union all
select
    judgment_set_id, query_id, basis,
    count(distinct subtopic) as relevant,
    null as not_relevant,
    null as best_gain
from subtopic_relevance
inner join subtopic_bases using (rel, known)
group by all
