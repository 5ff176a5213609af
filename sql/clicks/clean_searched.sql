-- Events of searches with the queries of these, and with the position that its
-- search gave a document, where the event has none; sql/clicks/searched.sql does
-- so where lines are checked one by one.
select
    searches.query_id, source_rows.doc_id, source_rows.event_action,
    coalesce(
        nullif(trim(source_rows.position), ''),
        cast(list_position(searches.hits, source_rows.doc_id) + searches.hits_before as varchar)
    ) as position,
    source_rows.time
from source_rows
left join searches
    on source_rows.query_id = searches.search_id
