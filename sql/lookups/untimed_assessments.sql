-- The first document of which no time says which grade is the latest, the set that it
-- is in, and how many there are: one of its grades has no time, but that of loading,
-- and another grade of the same loading differs.
with latest as (
    select
        query_id,
        doc_id,
        grade,
        name
    from assessor_grades
    inner join assessment_sets using (assessment_set_id)
    where assessor_grades.dataset = $dataset and grade >= 0
    qualify loaded_at = max(assessed_at) over (partition by query_id, doc_id)
)

select
    query_id,
    doc_id,
    min(name) as name,
    count(*) over () as document_count
from latest
group by query_id, doc_id
having min(grade) < max(grade)
order by query_id, doc_id
limit 1
