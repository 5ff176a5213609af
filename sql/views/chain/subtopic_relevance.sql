-- subtopic_relevance: a document that is relevant to a subtopic of a query, for each threshold
-- (rel) and kind of judgments (see judged_documents) that a measure of subtopics reads. relevant
-- is the number of documents that are relevant to the subtopic, returned or not.
select
    judgment_set_id, query_id, subtopic, doc_id, rel, known,
    count(*) over (partition by judgment_set_id, query_id, subtopic, rel, known) as relevant
from judged_subtopics
inner join (select distinct rel, known from subtopic_bases) as thresholds using (known)
where grade >= rel and grade >= 0
