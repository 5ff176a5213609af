-- The text in the file replaces the stored one.
update queries
set text = staged.text

from staged

where
    queries.dataset = $dataset
    and queries.query_id = staged.query_id
