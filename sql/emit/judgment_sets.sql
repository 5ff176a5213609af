-- One row is the judgment set: all rows of the table of judgments.
select
    cast(1 as bigint) as judgment_set_id,
    'emitted' as dataset,
    'judgments' as name,
    count(distinct judgments.query_id) as query_count
from judgments
