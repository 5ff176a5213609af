-- query {query_id}, document {doc_id}: position {position_text} is not a whole number from 1 to 1e9
select
    staged.line_number,
    staged.query_id,
    staged.doc_id,
    staged.position_text

from staged

where staged.position is null
