-- the query id is empty
select staged.line_number

from staged

where coalesce(staged.query_id, '') = ''
