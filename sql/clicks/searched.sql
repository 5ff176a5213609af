-- Events with the queries of their searches, null for an event of no search, and
-- with the position that its search gave a document, where the event has none.
with events_of_searches as (
    select
        line_number, fields,
        fields[$search_field] as search_id,
        fields[$document_field] as doc_id,
        nullif(trim(fields[$place_field]), '') as place_text
    from source_rows
)

select
    events_of_searches.line_number,
    list_concat(
        [
            query_id,
            coalesce(place_text, cast(list_position(hits, doc_id) + hits_before as varchar), '')
        ],
        fields
    ) as fields
from events_of_searches
left join searches using (search_id)
