-- query {query_id}, document {doc_id}: grade {grade_text}, but {base_grade} in the base judgment set
select
    staged.line_number, staged.query_id, staged.doc_id, staged.grade_text,
    base_judgments.grade as base_grade
from staged
inner join base_judgments using (query_id, doc_id)
where base_judgments.grade >= 0 and staged.grade <> base_judgments.grade
