-- query {query_id}, document {doc_id}: {grade_text} is not a number
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.grade_text

from staged

where
    staged.grade is null
    and staged.grade_text <> ''
    and not regexp_full_match(staged.grade_text, $number_pattern)
