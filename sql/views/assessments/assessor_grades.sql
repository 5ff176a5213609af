-- One row is the last grade that an assessor gave a document. A grade without a
-- time has the time at which it was loaded; of two with the same time, the one
-- that was loaded later is the last.
with numbered as (

    select
        assessment_sets.dataset,
        assessments.query_id,
        assessments.doc_id,
        assessments.assessor,
        assessments.grade,
        coalesce(assessments.assessed_at, assessment_sets.loaded_at)
            as assessed_at,
        assessments.assessment_set_id,
        row_number() over (
            partition by
                assessment_sets.dataset,
                assessments.query_id,
                assessments.doc_id,
                assessments.assessor
            order by
                coalesce(
                    assessments.assessed_at, assessment_sets.loaded_at
                ) desc,
                assessments.assessment_set_id desc
        ) as age

    from assessments

    inner join assessment_sets using (assessment_set_id)

)

select
    numbered.dataset,
    numbered.query_id,
    numbered.doc_id,
    numbered.assessor,
    numbered.grade,
    numbered.assessed_at,
    numbered.assessment_set_id

from numbered

where numbered.age = 1
