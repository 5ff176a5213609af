insert into assessments by name
select
    $assessment_set_id as assessment_set_id,
    staged.query_id, staged.doc_id, staged.assessor, staged.assessed_at, staged.grade, staged.label
from staged
order by staged.query_id, staged.doc_id, staged.assessor
