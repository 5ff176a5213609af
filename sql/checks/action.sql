-- query {query_id}, document {doc_id}: the action is empty
select
    staged.line_number,
    staged.query_id,
    staged.doc_id

from staged

where coalesce(staged.event_action, '') = ''
