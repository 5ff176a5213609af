-- query {query_id}, document {doc_id}: a vertical tab or form feed, which some tools treat as a blank
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where
    contains(staged.query_id, chr(11))
    or contains(staged.query_id, chr(12))
    or contains(staged.doc_id, chr(11))
    or contains(staged.doc_id, chr(12))
