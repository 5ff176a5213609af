-- query {query_id}, document {doc_id}: score {score_text} is not a number
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.score_text

from staged

where
    staged.score is null
    and (staged.score_text is not null or $position_rule <> 'given')
    and not regexp_full_match(coalesce(staged.score_text, ''), $number_pattern)
