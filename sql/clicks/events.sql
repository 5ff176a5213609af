-- How often each action that counts met a document of a query at a position, of staged
-- rows, the first and the last time, and whether a row of them is odd.
select
    source_rows.action_number, source_rows.query_id, source_rows.doc_id, source_rows.position,
    cast(sum(source_rows.event_count) as bigint) as event_count,
    min(source_rows.assessed_at) as first_at,
    max(source_rows.assessed_at) as last_at,
    bool_or(source_rows.is_odd) as is_odd
from source_rows
group by
    source_rows.action_number, source_rows.query_id, source_rows.doc_id, source_rows.position
