-- One row is a set of assessments without times, with the number of documents whose
-- latest grade is one of its, as of when it was loaded, though another grade of
-- them differs: one that has a time, or one that has none either.
with timed as (

    select
        assessor_grades.query_id,
        assessor_grades.doc_id,
        assessor_grades.grade,
        assessor_grades.assessed_at,
        assessment_sets.name,
        assessor_grades.assessed_at = assessment_sets.loaded_at as is_untimed

    from assessor_grades

    inner join assessment_sets using (assessment_set_id)

    where
        assessor_grades.dataset = $dataset
        and assessor_grades.grade >= 0

),

latest as (

    select
        timed.query_id,
        timed.doc_id,
        max(timed.assessed_at) as assessed_at,
        not bool_and(timed.is_untimed) as has_times

    from timed

    group by all

    having min(timed.grade) < max(timed.grade)

)

select
    timed.name,
    latest.has_times,
    count(distinct row(timed.query_id, timed.doc_id)) as document_count

from timed

inner join latest using (query_id, doc_id, assessed_at)

where timed.is_untimed

group by
    timed.name,
    latest.has_times

order by
    timed.name,
    latest.has_times
