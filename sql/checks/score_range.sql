-- query {query_id}, document {doc_id}: score {score_text} is too large or too small for a double; write inf or 0 if you mean it
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.score_text

from staged

where
    staged.score is null
    and regexp_full_match(coalesce(staged.score_text, ''), $number_pattern)
