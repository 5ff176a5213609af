-- The queries of events, in their order.
select
    events.query_id,
    row_number() over (order by events.query_id) as line_number

from events

group by events.query_id
