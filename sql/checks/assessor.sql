-- query {query_id}, document {doc_id}: no assessor is named
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where coalesce(staged.assessor, '') = ''
