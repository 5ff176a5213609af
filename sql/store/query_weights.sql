-- What the file says takes the place of what was known.
update queries
set weight = staged.weight

from staged

where
    queries.dataset = $dataset
    and queries.query_id = staged.query_id
