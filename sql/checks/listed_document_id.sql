-- the document id is empty
select staged.line_number

from staged

where coalesce(staged.doc_id, '') = ''
