-- What was shown and clicked at each position of a log. Clicks on what was never
-- shown for its query count nowhere.
insert into click_positions by name
with counts as (

    select
        events.query_id,
        events.doc_id,
        events.position,
        case
            when actions.event_action = 'impression' then events.event_count
        end as impressions,
        case
            when actions.event_action <> 'impression'
                then events.event_count * actions.weight
        end as clicks

    from events

    inner join actions using (action_number)

    semi join clicked using (query_id, doc_id)

),

positions_of_log as (

    select
        counts.position,
        sum(counts.impressions) as impressions,
        coalesce(sum(counts.clicks order by counts.clicks), 0) as clicks

    from counts

    group by counts.position

    having sum(counts.impressions) > 0

),

judged as (

    select
        clicked.query_id,
        clicked.doc_id,
        clicked.clicks

    from clicked

    where
        clicked.impressions >= $min_impressions
        and clicked.fraction is not null

),

best_positions as (

    select
        counts.query_id,
        counts.doc_id,
        min(counts.position) as position

    from counts

    where counts.impressions > 0

    group by
        counts.query_id,
        counts.doc_id

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
    positions_of_log.position,
    positions_of_log.impressions,
    positions_of_log.clicks,
    coalesce(best_documents.best_documents, 0) as best_documents,
    coalesce(best_documents.unclicked_documents, 0) as unclicked_documents

from positions_of_log

left join best_documents using (position)

order by positions_of_log.position
