-- One row is the last grade that an assessor gave a document. A grade without a
-- time has the time at which it was loaded; of two with the same time, the one
-- that was loaded later is the last.
select
    assessment_sets.dataset,
    assessments.query_id,
    assessments.doc_id,
    assessments.assessor,
    assessments.grade,
    coalesce(assessments.assessed_at, assessment_sets.loaded_at) as assessed_at,
    assessments.assessment_set_id
from assessments
inner join assessment_sets using (assessment_set_id)
qualify
    row_number() over (
        partition by dataset, query_id, doc_id, assessor
        order by
            coalesce(assessments.assessed_at, assessment_sets.loaded_at) desc,
            assessment_set_id desc
    ) = 1
