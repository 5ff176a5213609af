-- The impressions that lists of hits are: each entry at its place, after those of
-- earlier pages.
with hits as (
    select
        query_id, assessed_at,
        unnest(hits) as doc_id,
        generate_subscripts(hits, 1) + hits_before as position
    from searches
)

select
    action_number, query_id, doc_id,
    cast(position as integer) as position,
    count(*) as event_count,
    min(assessed_at) as first_at,
    max(assessed_at) as last_at
from hits
cross join actions
where event_action = 'impression' and doc_id <> ''
group by all
