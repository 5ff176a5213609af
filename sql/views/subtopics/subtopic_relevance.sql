-- One row is a document that is relevant to a subtopic of a query in a judgment
-- set, for each threshold (rel) and kind of ranking (see listed_judgments) that
-- some measure of subtopics has. relevant is the number of documents that are
-- relevant to the subtopic, returned or not.
with thresholds as (

    select distinct
        subtopic_measures.rel,
        subtopic_measures.known

    from subtopic_measures

),

listed as (

    select
        subtopic_judgments.judgment_set_id,
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        subtopic_judgments.doc_id,
        'keep' as known,
        subtopic_judgments.grade

    from subtopic_judgments

    union all

    select
        subtopic_judgments.judgment_set_id,
        subtopic_judgments.query_id,
        subtopic_judgments.subtopic,
        subtopic_judgments.doc_id,
        'omit' as known,
        subtopic_judgments.grade

    from subtopic_judgments

    inner join new_judgments using (judgment_set_id, query_id, doc_id)

)

select
    listed.judgment_set_id,
    listed.query_id,
    listed.subtopic,
    listed.doc_id,
    thresholds.rel,
    thresholds.known,
    count(*) over (
        partition by
            listed.judgment_set_id,
            listed.query_id,
            listed.subtopic,
            thresholds.rel,
            thresholds.known
    ) as relevant

from listed

inner join thresholds
    on
        listed.known = thresholds.known
        and listed.grade >= thresholds.rel

where listed.grade >= 0
