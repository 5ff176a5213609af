-- What clicks say of each document of a query that was shown. An action is worth
-- as many clicks as its weight says. ctr: clicks by impressions. coec: clicks by
-- the clicks that the positions of its impressions let expect: at each position,
-- the mean clicks of all impressions there. 1 is as often as that (Zhang and
-- Jones 2007, and OpenSearch's workbench). A click on what was never shown for
-- its query counts nowhere. Counts are added before they are weighed, and sums of
-- fractions have an order: the same events always give the same bits.
with shown as (
    select query_id, doc_id, position, event_count
    from events
    inner join actions using (action_number)
    where event_action = 'impression'
),

clicked as (
    select query_id, doc_id, position, action_number, event_count, weight
    from events
    inner join actions using (action_number)
    semi join shown using (query_id, doc_id)
    where event_action <> 'impression'
),

position_actions as (
    select
        position, action_number,
        sum(event_count) * weight as clicks
    from clicked
    group by position, action_number, weight
),

position_clicks as (
    select
        position,
        sum(clicks order by action_number) as clicks
    from position_actions
    group by position
),

position_rates as (
    select
        position,
        coalesce(any_value(clicks), 0) / sum(event_count) as click_rate
    from shown
    left join position_clicks using (position)
    group by position
),

expected as (
    select
        query_id, doc_id,
        sum(event_count) as impressions,
        sum(event_count * click_rate order by position) as expected_clicks
    from shown
    inner join position_rates using (position)
    group by query_id, doc_id
),

document_actions as (
    select
        query_id, doc_id, action_number,
        sum(event_count) * weight as clicks
    from clicked
    group by query_id, doc_id, action_number, weight
),

document_clicks as (
    select
        query_id, doc_id,
        sum(clicks order by action_number) as added_clicks
    from document_actions
    group by query_id, doc_id
)

select
    query_id, doc_id, impressions, expected_clicks,
    coalesce(added_clicks, 0) as clicks,
    case $model
        when 'ctr' then coalesce(added_clicks, 0) / impressions
        when 'coec' then coalesce(added_clicks, 0) / nullif(expected_clicks, 0)
    end as fraction
from expected
left join document_clicks using (query_id, doc_id)
