-- The first document of which no time says which grade is the latest, the set that it
-- is in, and how many there are: one of its grades has no time, but that of loading,
-- and another grade of the same loading differs.
with timed as (

    select
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade,
        assessment_sets.name,
        assessment_sets.loaded_at,
        max(assessor_grades.assessed_at) over (
            partition by
                assessor_grades.query_id,
                assessor_grades.doc_id
        ) as latest_at

    from assessor_grades

    inner join assessment_sets using (assessment_set_id)

    where
        assessor_grades.dataset = $dataset
        and assessor_grades.grade >= 0

),

untimed as (

    select
        timed.query_id,
        timed.doc_id,
        min(timed.name) as name

    from timed

    where timed.loaded_at = timed.latest_at

    group by all

    having min(timed.grade) < max(timed.grade)

)

select
    untimed.query_id,
    untimed.doc_id,
    untimed.name,
    count(*) over () as document_count

from untimed

order by
    untimed.query_id,
    untimed.doc_id

limit 1
