-- The searches of events that are ignored, if they name them: such an event says no
-- less than a click that its search was made.
with fields as (
    select
        source_rows.fields[$query_id_field] as query_id,
        trim(source_rows.fields[$action_field], ' ') as event_action,
        cast(source_rows.fields[$search_id_field] as varchar) as search_id
    from source_rows
)

select distinct
    fields.query_id, fields.search_id,
    1 as searches
from fields
inner join action_words using (event_action)
where action_words.weight = 0 and fields.query_id <> '' and fields.search_id <> ''
