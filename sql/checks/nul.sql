-- query {query_id}, document {doc_id}: a NUL byte in an id
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where
    contains(staged.query_id, chr(0))
    or contains(staged.doc_id, chr(0))
