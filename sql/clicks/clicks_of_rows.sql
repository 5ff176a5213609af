-- The most clicks of a staged row that counts them, and how many rows count none.
with rows_of_file as (
    select coalesce(max(event_count) filter (where event_action <> 'impression'), 0) as clicks
    from staged
    group by line_number
)

select
    coalesce(max(clicks), 0) as most,
    count_if(clicks = 0) as unclicked
from rows_of_file
