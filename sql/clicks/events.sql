-- How often each action that counts met a document of a query at a position, of
-- the staged rows, and the first and the last time.
select
    staged.action_number, staged.query_id, staged.doc_id, staged.position,
    cast(sum(staged.event_count) as bigint) as event_count,
    min(staged.assessed_at) as first_at,
    max(staged.assessed_at) as last_at
from staged
group by staged.action_number, staged.query_id, staged.doc_id, staged.position
