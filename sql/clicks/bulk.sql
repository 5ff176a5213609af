-- Whether a file of objects has events of UBI, and whether it has searches.
with objects as (
    select
        json_exists(source_rows.text_line, '$.action_name') as is_event,
        json_exists(source_rows.text_line, '$.user_query') as is_search
    from source_rows
    where
        (
            contains(source_rows.text_line, '"action_name"')
            or contains(source_rows.text_line, '"user_query"')
        )
        and json_valid(source_rows.text_line)
)

select
    coalesce(bool_or(objects.is_event), false) as has_events,
    coalesce(bool_or(objects.is_search and not objects.is_event), false) as has_searches
from objects
