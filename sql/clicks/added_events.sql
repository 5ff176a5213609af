-- The events of several files, added up as if they were those of one.
select
    action_number, query_id, doc_id, position,
    cast(sum(event_count) as bigint) as event_count,
    min(first_at) as first_at,
    max(last_at) as last_at
from events
group by all
