-- The impressions that lists of hits are: each entry at its place, after those of
-- earlier pages.
with hits as (
    select
        searches.query_id, searches.assessed_at,
        unnest(searches.hits) as doc_id,
        generate_subscripts(searches.hits, 1) + searches.hits_before as position
    from searches
)

select
    actions.action_number, hits.query_id, hits.doc_id,
    cast(hits.position as integer) as position,
    count(*) as event_count,
    min(hits.assessed_at) as first_at,
    max(hits.assessed_at) as last_at
from hits
cross join actions
where actions.event_action = 'impression' and hits.doc_id <> ''
group by actions.action_number, hits.query_id, hits.doc_id, hits.position
