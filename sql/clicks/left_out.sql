-- How many documents of queries were shown too rarely, and how many others only
-- where nobody clicked; the most impressions that any has, the actions that met
-- documents where the log never shows them, and how many documents met one action more
-- often than they were shown.
with unseen as (
    select coalesce(sum(event_count), 0) as unseen
    from events
    inner join actions using (action_number)
    anti join clicked using (query_id, doc_id)
    where event_action <> 'impression'
),

crowded as (
    select count(distinct row(query_id, doc_id)) as crowded
    from (
        select query_id, doc_id
        from events
        inner join actions using (action_number)
        inner join clicked using (query_id, doc_id)
        where event_action <> 'impression' and impressions >= $min_impressions
        group by query_id, doc_id, action_number, impressions
        having sum(event_count) > impressions
    ) as counted
)

select
    count_if(impressions < $min_impressions) as rare,
    count_if(impressions >= $min_impressions and fraction is null) as unexpected,
    max(impressions) as most,
    (from unseen) as unseen,
    (from crowded) as crowded
from clicked
