-- One row is a document that is relevant to a subtopic of a query in a judgment
-- set, for each threshold (rel) that some measure of subtopics has. relevant is
-- the number of documents that are relevant to the subtopic, returned or not.
with thresholds as (

    select distinct subtopic_measures.rel

    from subtopic_measures

)

select
    subtopic_judgments.judgment_set_id,
    subtopic_judgments.query_id,
    subtopic_judgments.subtopic,
    subtopic_judgments.doc_id,
    thresholds.rel,
    count(*) over (
        partition by
            subtopic_judgments.judgment_set_id,
            subtopic_judgments.query_id,
            subtopic_judgments.subtopic,
            thresholds.rel
    ) as relevant

from subtopic_judgments

inner join thresholds
    on subtopic_judgments.grade >= thresholds.rel

where subtopic_judgments.grade >= 0
