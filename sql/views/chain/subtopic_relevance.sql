-- subtopic_relevance: a document that is relevant to a subtopic of a query, for each threshold
-- (rel) and kind of judgments (see judged_documents) that a measure of subtopics reads. relevant
-- is the number of documents that are relevant to the subtopic, returned or not.
with listed as (
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
)

select
    judgment_set_id, query_id, subtopic, doc_id, rel, known,
    count(*) over (partition by judgment_set_id, query_id, subtopic, rel, known) as relevant
from listed
inner join (select distinct rel, known from subtopic_bases) as thresholds using (known)
where grade >= rel and grade >= 0
