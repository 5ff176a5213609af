-- One row is a document that two assessors graded, with the last grade of each.
-- A negative grade counts as no grade.
select
    dataset,
    query_id,
    doc_id,
    assessor_grades.assessor,
    others.assessor as other_assessor,
    assessor_grades.grade,
    others.grade as other_grade
from assessor_grades
inner join assessor_grades as others using (dataset, query_id, doc_id)
where
    assessor_grades.assessor < others.assessor
    and least(assessor_grades.grade, others.grade) >= 0
