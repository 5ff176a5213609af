-- query {query_id}, document {doc_id}: no run, but other rows name theirs
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where trim(staged.run) = ''
