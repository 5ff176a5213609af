-- One row is a document in a run's ranking and a subtopic that it is relevant
-- to, for each threshold (rel) and kind of ranking (see listed_hits) that some
-- measure of subtopics has. found counts the documents down to it that are
-- relevant to the subtopic; relevant those that the judgment set has.
with readings as (

    select distinct
        subtopic_measures.rel,
        subtopic_measures.judged_only,
        subtopic_measures.known

    from subtopic_measures

)

select
    listed_hits.run_id,
    listed_hits.judgment_set_id,
    listed_hits.query_id,
    subtopic_relevance.subtopic,
    readings.rel,
    readings.judged_only,
    readings.known,
    listed_hits.position,
    row_number() over (
        partition by
            listed_hits.run_id,
            listed_hits.judgment_set_id,
            listed_hits.query_id,
            subtopic_relevance.subtopic,
            readings.rel,
            readings.judged_only,
            readings.known
        order by listed_hits.position
    ) as found,
    subtopic_relevance.relevant

from listed_hits

inner join readings using (judged_only, known)

inner join subtopic_relevance
    using (judgment_set_id, query_id, doc_id, rel, known)
