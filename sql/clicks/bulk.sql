-- Whether a file of objects has events of UBI, and whether it has searches.
with objects as (
    select
        json_exists(text_line, '$.action_name') as is_event,
        json_exists(text_line, '$.user_query') as is_search
    from source_rows
    where
        (contains(text_line, '"action_name"') or contains(text_line, '"user_query"'))
        and json_valid(text_line)
)

select
    coalesce(bool_or(is_event), false) as has_events,
    coalesce(bool_or(is_search and not is_event), false) as has_searches
from objects
