-- The weight in the file replaces the stored one.
update queries
set weight = staged.weight

from staged

where
    queries.dataset = $dataset
    and queries.query_id = staged.query_id
