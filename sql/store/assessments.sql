insert into assessments (
    assessment_set_id,
    query_id,
    doc_id,
    assessor,
    assessed_at,
    grade,
    label
)
select
    $assessment_set_id as assessment_set_id,
    staged.query_id,
    staged.doc_id,
    staged.assessor,
    staged.assessed_at,
    staged.grade,
    staged.label

from staged

order by
    staged.query_id,
    staged.doc_id,
    staged.assessor
