-- Events with the queries of their searches, null for an event of no search, and
-- with the position that its search gave a document, where the event has none.
with events_of_searches as (
    select
        source_rows.line_number, source_rows.fields,
        source_rows.fields[$search_field] as search_id,
        source_rows.fields[$document_field] as doc_id,
        nullif(trim(source_rows.fields[$place_field]), '') as place_text
    from source_rows
)

select
    events_of_searches.line_number,
    list_concat(
        [
            searches.query_id,
            coalesce(
                events_of_searches.place_text,
                cast(
                    list_position(searches.hits, events_of_searches.doc_id)
                    + searches.hits_before
                    as varchar
                ),
                ''
            )
        ],
        events_of_searches.fields
    ) as fields
from events_of_searches
left join searches using (search_id)
