-- The searches of events that are ignored, if they name them: such an event says no
-- less than a click that its search was made.
with events_of_rows as (
    select
        fields[$query_id_field] as query_id,
        trim(fields[$action_field], ' ') as event_action,
        cast(fields[$search_id_field] as varchar) as search_id
    from source_rows
)

select distinct
    query_id, search_id,
    1 as searches
from events_of_rows
inner join action_words using (event_action)
where weight = 0 and query_id <> '' and search_id <> ''
