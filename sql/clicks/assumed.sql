-- Events with the positions that a run gives their documents, and an impression
-- of each of its first documents for every search of the query. An event on
-- another document stays as it is: no impression meets it.
with first_documents as (
    select query_id, doc_id, position
    from rankings
    where run_id = $run_id and position <= $depth
),

-- A search may occur in several files.
searches_of_queries as (
    select
        query_id,
        count(distinct search_id)
        + coalesce(sum(searches) filter (where search_id is null), 0) as searches
    from showings
    group by query_id
)

select
    action_number, query_id, doc_id,
    coalesce(first_documents.position, events.position) as position,
    event_count, first_at, last_at
from events
left join first_documents using (query_id, doc_id)
union all
select
    action_number, query_id, doc_id, position,
    cast(searches as bigint) as event_count,
    cast(null as timestamp) as first_at,
    cast(null as timestamp) as last_at
from first_documents
inner join searches_of_queries using (query_id)
cross join actions
where event_action = 'impression'
