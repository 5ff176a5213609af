-- How many documents of queries were shown too rarely, and how many others only
-- where nobody clicked; the most impressions that any has, and the actions that
-- met documents where the log never shows them.
with unseen as (
    select coalesce(sum(events.event_count), 0) as event_count
    from events
    inner join actions using (action_number)
    anti join clicked using (query_id, doc_id)
    where actions.event_action <> 'impression'
),

counts as (
    select
        sum(case when clicked.impressions < $min_impressions then 1 else 0 end) as rare,
        sum(
            case
                when clicked.impressions >= $min_impressions and clicked.fraction is null then 1
                else 0
            end
        ) as unexpected,
        max(clicked.impressions) as most
    from clicked
)

select
    counts.rare, counts.unexpected, counts.most,
    unseen.event_count as unseen
from counts
cross join unseen
