-- How often each action that counts met a document of a query at a position, of staged
-- rows, the first and the last time, and whether a row of them is odd.
select
    action_number, query_id, doc_id, position,
    cast(sum(event_count) as bigint) as event_count,
    min(assessed_at) as first_at,
    max(assessed_at) as last_at,
    bool_or(is_odd) as is_odd
from source_rows
group by all
