-- judgment set {judgment_set}, query {query}: the grade of document {document}
-- is not the largest of its subtopics; remove the judgment set, and load it
-- again
with largest as (
    select
        judgment_set_id, query_id, doc_id,
        max(grade) as grade
    from subtopic_judgments
    group by all
),

judged as (
    select *
    from judgments
    semi join largest using (judgment_set_id)
)

select
    judgment_set_id,
    query_id as query,
    doc_id as document
from largest
full join judged using (judgment_set_id, query_id, doc_id)
semi join judgment_sets using (judgment_set_id)
where largest.grade is distinct from judged.grade
order by all
