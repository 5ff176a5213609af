-- How many events and queries unknown_queries has, and the first such queries.
with unknown as (
    select
        source_rows.query_id,
        sum(events.event_count) as event_count
    from source_rows
    inner join events using (query_id)
    group by source_rows.query_id
)

select
    cast(sum(unknown.event_count) over () as bigint) as event_count,
    count(*) over () as query_count,
    unknown.query_id
from unknown
order by unknown.query_id
limit 5
