-- What was shown and clicked at each position of a log. Clicks on what was never
-- shown for its query count nowhere.
insert into click_positions by name
with position_actions as (
    select
        events.position, actions.event_action, actions.weight,
        sum(events.event_count) as event_count
    from events
    inner join actions using (action_number)
    semi join clicked using (query_id, doc_id)
    group by all
),

positions_of_log as (
    select
        position_actions.position,
        sum(
            case
                when position_actions.event_action = 'impression' then position_actions.event_count
            end
        ) as impressions,
        sum(
            case
                when position_actions.event_action <> 'impression'
                    then position_actions.event_count * position_actions.weight
                else 0
            end
            order by position_actions.event_action
        ) as clicks
    from position_actions
    group by position_actions.position
    having bool_or(position_actions.event_action = 'impression')
),

judged as (
    select
        clicked.query_id, clicked.doc_id, clicked.clicks
    from clicked
    where clicked.impressions >= $min_impressions and clicked.fraction is not null
),

best_positions as (
    select
        events.query_id, events.doc_id,
        min(events.position) as position
    from events
    inner join actions using (action_number)
    where actions.event_action = 'impression'
    group by all
),

best_documents as (
    select
        best_positions.position,
        count(*) as best_documents,
        count(case when judged.clicks = 0 then 1 end) as unclicked_documents
    from best_positions
    inner join judged using (query_id, doc_id)
    group by best_positions.position
)

select
    $judgment_set_id as judgment_set_id,
    positions_of_log.position, positions_of_log.impressions, positions_of_log.clicks,
    coalesce(best_documents.best_documents, 0) as best_documents,
    coalesce(best_documents.unclicked_documents, 0) as unclicked_documents
from positions_of_log
left join best_documents using (position)
order by positions_of_log.position
