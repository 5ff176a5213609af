-- One row is the grade that an assessor gave a document last: by the time told,
-- by the order of loading where none is told or two are the same.
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

    inner join assessment_sets
        on assessments.assessment_set_id = assessment_sets.assessment_set_id

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
