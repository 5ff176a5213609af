-- How many impressions and how many actions that count as clicks a log has, and
-- its first and last time.
select
    coalesce(sum(event_count) filter (where event_action = 'impression'), 0) as impressions,
    coalesce(sum(event_count) filter (where event_action <> 'impression'), 0) as actions,
    date_trunc('second', min(first_at)) as first_at,
    date_trunc('second', max(last_at)) as last_at
from events
inner join actions using (action_number)
