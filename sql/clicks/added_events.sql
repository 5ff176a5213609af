-- The events of several files, added up as if they were those of one.
select
    events.action_number, events.query_id, events.doc_id, events.position,
    cast(sum(events.event_count) as bigint) as event_count,
    min(events.first_at) as first_at,
    max(events.last_at) as last_at
from events
group by events.action_number, events.query_id, events.doc_id, events.position
