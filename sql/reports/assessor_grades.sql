-- One row is the last grade of an assessor for a document.
select
    assessor_grades.assessor,
    assessor_grades.query_id,
    assessor_grades.doc_id,
    assessor_grades.grade

from assessor_grades

where
    assessor_grades.dataset = $dataset
    and assessor_grades.grade >= 0

order by
    assessor_grades.query_id,
    assessor_grades.doc_id,
    assessor_grades.assessor
