-- The assessments of the given sets and assessors.
select
    assessments.assessment_set_id,
    assessments.query_id,
    assessments.doc_id,
    assessments.assessor,
    assessments.assessed_at,
    assessments.grade,
    assessments.label

from assessments

where
    list_contains($assessment_set_ids, assessments.assessment_set_id)
    and list_contains($assessors, assessments.assessor)
