-- What the file says takes the place of what was known.
update queries
set text = staged.text

from staged

where
    queries.dataset = $dataset
    and queries.query_id = staged.query_id
