-- query {query_id}: weight {weight_text} is neither 0 nor from 1e-100 to 1e100
select
    staged.line_number,
    staged.query_id,
    staged.weight_text

from staged

where
    coalesce(staged.weight_text, '') <> ''
    and staged.weight is null
