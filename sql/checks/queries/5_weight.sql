-- query {query_id}: weight {weight_text} is not a finite number of 0 or more
select
    staged.line_number,
    staged.query_id,
    staged.weight_text

from staged

where
    coalesce(staged.weight_text, '') <> ''
    and staged.weight is null
