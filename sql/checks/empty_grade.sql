-- query {query_id}, document {doc_id}: the grade is empty
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where
    staged.grade is null
    and coalesce(staged.grade_text, '') = ''
