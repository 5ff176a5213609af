-- The only judgment set: all rows of the table of judgments.
select
    1 as judgment_set_id,
    'emitted' as dataset,
    'judgments' as name,
    count(distinct query_id) as query_count
from judgments
