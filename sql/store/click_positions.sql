-- What was shown and clicked at each position of a log. Clicks on what was never
-- shown for its query count nowhere.
insert into click_positions by name
with position_actions as (
    select
        position, event_action, weight,
        event_action = 'impression' as is_impression,
        sum(event_count) as event_count
    from events
    inner join actions using (action_number)
    semi join clicked using (query_id, doc_id)
    group by all
),

positions_of_log as (
    select
        position,
        sum(event_count) filter (where is_impression) as impressions,
        sum(if(is_impression, 0, event_count * weight) order by event_action) as clicks
    from position_actions
    group by position
    having bool_or(is_impression)
),

best_positions as (
    select
        query_id, doc_id,
        min(position) as position
    from events
    inner join actions using (action_number)
    where event_action = 'impression'
    group by all
),

best_documents as (
    select
        position,
        count(*) as best_documents,
        count_if(clicks = 0) as unclicked_documents
    from best_positions
    inner join clicked using (query_id, doc_id)
    where impressions >= $min_impressions and fraction is not null
    group by position
)

select
    $judgment_set_id as judgment_set_id,
    position, impressions, clicks,
    coalesce(best_documents, 0) as best_documents,
    coalesce(unclicked_documents, 0) as unclicked_documents
from positions_of_log
left join best_documents using (position)
order by position
