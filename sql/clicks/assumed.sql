-- Events with the positions that a run gives their documents, and an impression
-- of each of its first documents for every search of the query. An event on
-- another document stays as it is: no impression meets it.
with first_documents as (
    select
        rankings.query_id, rankings.doc_id, rankings.position
    from rankings
    where rankings.run_id = $run_id and rankings.position <= $depth
),

-- A search may occur in several files.
searches_of_queries as (
    select
        showings.query_id,
        count(distinct showings.search_id)
        + sum(case when showings.search_id is null then showings.searches else 0 end) as searches
    from showings
    group by showings.query_id
)

select
    events.action_number, events.query_id, events.doc_id,
    coalesce(first_documents.position, events.position) as position,
    events.event_count, events.first_at, events.last_at
from events
left join first_documents using (query_id, doc_id)
union all
select
    actions.action_number, first_documents.query_id, first_documents.doc_id,
    first_documents.position,
    cast(searches_of_queries.searches as bigint) as event_count,
    cast(null as timestamp) as first_at,
    cast(null as timestamp) as last_at
from first_documents
inner join searches_of_queries using (query_id)
cross join actions
where actions.event_action = 'impression'
