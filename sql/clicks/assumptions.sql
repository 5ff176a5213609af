-- What to report of a log whose searches are taken to have shown the first
-- documents of a run: its searches of queries that the run has, those with an id and
-- clicks without one; its impressions; its clicks, and of these the ones on queries
-- that the run lacks, with the number of such queries, on documents that it did not
-- return, on documents below its first, and at a position that is not the run's.
with ranked_queries as (
    select distinct query_id
    from rankings
    where run_id = $run_id
),

searches_of_log as (
    select
        count(distinct case when search_id is not null then row(query_id, search_id) end)
            as named_searches,
        coalesce(sum(searches) filter (where search_id is null), 0) as other_searches
    from showings
    inner join ranked_queries using (query_id)
),

placed_events as (
    select
        query_id, event_count,
        events.position,
        event_action = 'impression' as is_impression,
        ranked_queries.query_id is not null as has_query,
        rankings.position as run_position
    from events
    inner join actions using (action_number)
    left join ranked_queries using (query_id)
    left join rankings
        on
            rankings.run_id = $run_id
            and events.query_id = rankings.query_id
            and events.doc_id = rankings.doc_id
),

clicks as (
    select
        coalesce(sum(event_count) filter (where is_impression), 0) as impressions,
        coalesce(sum(event_count) filter (where not is_impression), 0) as clicks,
        coalesce(sum(event_count) filter (where not has_query), 0) as clicks_of_other_queries,
        count(distinct query_id) filter (where not has_query) as other_queries,
        coalesce(sum(event_count) filter (where has_query and run_position is null), 0)
            as clicks_on_others,
        coalesce(sum(event_count) filter (where run_position > $depth), 0) as clicks_below,
        coalesce(max(run_position), 0) as deepest,
        coalesce(
            sum(event_count) filter (
                where position > 0 and run_position <= $depth and position <> run_position
            ),
            0
        ) as clicks_elsewhere
    from placed_events
)

select
    searches_of_log.*,
    clicks.*
from clicks
cross join searches_of_log
