-- query {query_id}: the document id is empty
select
    staged.line_number,
    staged.query_id

from staged

where coalesce(staged.doc_id, '') = ''
