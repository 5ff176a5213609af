-- judgment set {judgment_set}, query {query}: the grade of document {document}
-- is not the largest of its subtopics; remove the judgment set, and load it
-- again
with largest as (

    select
        subtopic_judgments.judgment_set_id,
        subtopic_judgments.query_id,
        subtopic_judgments.doc_id,
        max(subtopic_judgments.grade) as grade

    from subtopic_judgments

    group by
        subtopic_judgments.judgment_set_id,
        subtopic_judgments.query_id,
        subtopic_judgments.doc_id

),

judged as (

    select
        judgments.judgment_set_id,
        judgments.query_id,
        judgments.doc_id,
        judgments.grade

    from judgments

    where
        judgments.judgment_set_id in (
            select largest.judgment_set_id
            from largest
        )

)

select
    judgment_sets.name as judgment_set,
    query_id as query,
    doc_id as document

from largest

full join judged using (judgment_set_id, query_id, doc_id)

inner join judgment_sets using (judgment_set_id)

where largest.grade is distinct from judged.grade

order by
    judgment_sets.judgment_set_id,
    query_id,
    doc_id
