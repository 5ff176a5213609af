-- query {query_id}, document {doc_id}: grade {grade_text} is too large or too small for a double
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.grade_text

from staged

where
    staged.grade is null
    and regexp_full_match(coalesce(staged.grade_text, ''), $number_pattern)
