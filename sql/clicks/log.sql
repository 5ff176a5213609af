-- How many impressions and how many actions that count as clicks a log has, and
-- its first and last time.
with counts as (
    select
        events.event_count, events.first_at, events.last_at,
        actions.event_action = 'impression' as is_impression
    from events
    inner join actions using (action_number)
)

select
    coalesce(sum(case when counts.is_impression then counts.event_count end), 0) as impressions,
    coalesce(sum(case when not counts.is_impression then counts.event_count end), 0) as actions,
    date_trunc('second', min(counts.first_at)) as first_at,
    date_trunc('second', max(counts.last_at)) as last_at
from counts
