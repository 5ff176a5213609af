-- One row is a query with relevant documents in a judgment set with subtopics,
-- for each threshold (rel) and kind of ranking (see subtopic_relevance).
-- subtopic_count is the number of its subtopics that have a relevant document;
-- those without one count nowhere.
select
    subtopic_relevance.judgment_set_id,
    subtopic_relevance.query_id,
    subtopic_relevance.rel,
    subtopic_relevance.known,
    count(distinct subtopic_relevance.subtopic) as subtopic_count

from subtopic_relevance

group by
    subtopic_relevance.judgment_set_id,
    subtopic_relevance.query_id,
    subtopic_relevance.rel,
    subtopic_relevance.known
