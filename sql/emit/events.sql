-- One row is how often an action met a document of a query at a position; those
-- without one are together at 0.
with known_events as (
    select
        actions.action_number,
        cast(given_events.query_id as varchar) as query_id,
        cast(given_events.doc_id as varchar) as doc_id,
        coalesce(cast(given_events.position as integer), 0) as position
    from given_events
    inner join actions
        on cast(given_events.action as varchar) = actions.event_action
)

select
    known_events.action_number, known_events.query_id, known_events.doc_id, known_events.position,
    count(*) as event_count
from known_events
group by
    known_events.action_number, known_events.query_id, known_events.doc_id, known_events.position
