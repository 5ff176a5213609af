-- How many documents of queries were shown too rarely, and how many others only
-- where nobody clicked; the most impressions that any has, and the actions that
-- met documents where the log never shows them.
with unseen as (
    select coalesce(sum(event_count), 0) as unseen
    from events
    inner join actions using (action_number)
    anti join clicked using (query_id, doc_id)
    where event_action <> 'impression'
)

select
    count_if(impressions < $min_impressions) as rare,
    count_if(impressions >= $min_impressions and fraction is null) as unexpected,
    max(impressions) as most,
    (from unseen) as unseen
from clicked
