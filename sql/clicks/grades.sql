-- What clicks say of each document of a query that was shown. An action is worth
-- as many clicks as its weight says. ctr: clicks by impressions. coec: clicks by
-- the clicks that the positions of its impressions let expect: at each position,
-- the mean clicks of all impressions there. 1 is as often as that (Zhang and
-- Jones 2007, and OpenSearch's workbench). A click on what was never shown for
-- its query counts nowhere. Counts are added before they are weighed, and sums of
-- fractions have an order: the same events always give the same bits.
with shown as (
    select
        events.query_id, events.doc_id, events.position, events.event_count
    from events
    inner join actions using (action_number)
    where actions.event_action = 'impression'
),

clicked as (
    select
        events.query_id, events.doc_id, events.position, events.action_number, events.event_count,
        actions.weight
    from events
    inner join actions using (action_number)
    semi join shown using (query_id, doc_id)
    where actions.event_action <> 'impression'
),

position_actions as (
    select
        clicked.position, clicked.action_number,
        sum(clicked.event_count) * clicked.weight as clicks
    from clicked
    group by clicked.position, clicked.action_number, clicked.weight
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
        shown.query_id, shown.doc_id,
        sum(shown.event_count) as impressions,
        sum(shown.event_count * position_rates.click_rate order by shown.position) as clicks
    from shown
    inner join position_rates using (position)
    group by shown.query_id, shown.doc_id
),

document_actions as (
    select
        clicked.query_id, clicked.doc_id, clicked.action_number,
        sum(clicked.event_count) * clicked.weight as clicks
    from clicked
    group by clicked.query_id, clicked.doc_id, clicked.action_number, clicked.weight
),

document_clicks as (
    select
        document_actions.query_id, document_actions.doc_id,
        sum(document_actions.clicks order by document_actions.action_number) as clicks
    from document_actions
    group by document_actions.query_id, document_actions.doc_id
)

select
    expected.query_id, expected.doc_id, expected.impressions,
    expected.clicks as expected_clicks,
    coalesce(document_clicks.clicks, 0) as clicks,
    case $model
        when 'ctr' then coalesce(document_clicks.clicks, 0) / expected.impressions
        when 'coec' then coalesce(document_clicks.clicks, 0) / nullif(expected.clicks, 0)
    end as fraction
from expected
left join document_clicks using (query_id, doc_id)
