-- One row is a grade that assessors gave a document last, with the number of
-- assessors who gave it. A negative grade counts as no grade.
select
    assessor_grades.dataset,
    assessor_grades.query_id,
    assessor_grades.doc_id,
    assessor_grades.grade,
    count(*) as given_by,
    sum(count(*)) over (
        partition by
            assessor_grades.dataset,
            assessor_grades.query_id,
            assessor_grades.doc_id
    ) as assessors

from assessor_grades

where assessor_grades.grade >= 0

group by
    assessor_grades.dataset,
    assessor_grades.query_id,
    assessor_grades.doc_id,
    assessor_grades.grade
