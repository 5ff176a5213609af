-- One row is a group of documents that are relevant to the same subtopics of a
-- query, for each threshold (rel) and kind of ranking (see subtopic_relevance).
-- subtopic_numbers are those of these subtopics; doc_ids are the documents in
-- the order in which a greedy ranking takes them: descending by bytes, as ndeval
-- does.
with numbered as (

    select
        subtopic_relevance.judgment_set_id,
        subtopic_relevance.query_id,
        subtopic_relevance.rel,
        subtopic_relevance.known,
        subtopic_relevance.doc_id,
        dense_rank() over (
            partition by
                subtopic_relevance.judgment_set_id,
                subtopic_relevance.query_id,
                subtopic_relevance.rel,
                subtopic_relevance.known
            order by subtopic_relevance.subtopic
        ) as subtopic_number

    from subtopic_relevance

),

documents as (

    select
        numbered.judgment_set_id,
        numbered.query_id,
        numbered.rel,
        numbered.known,
        numbered.doc_id,
        list(numbered.subtopic_number order by numbered.subtopic_number)
            as subtopic_numbers

    from numbered

    group by
        numbered.judgment_set_id,
        numbered.query_id,
        numbered.rel,
        numbered.known,
        numbered.doc_id

)

select
    documents.judgment_set_id,
    documents.query_id,
    documents.rel,
    documents.known,
    documents.subtopic_numbers,
    list(documents.doc_id order by documents.doc_id desc) as doc_ids,
    count(*) as group_size

from documents

group by
    documents.judgment_set_id,
    documents.query_id,
    documents.rel,
    documents.known,
    documents.subtopic_numbers
