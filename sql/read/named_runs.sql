-- Rows with the name of their run in front, as a pattern gives it: the parts at
-- $name_places, where $name_texts come before the fields of the row. Where a part
-- is empty, the name is empty, too.
with parts as (
    select
        source_rows.line_number, source_rows.fields,
        list_select(list_concat($name_texts, source_rows.fields), $name_places) as name_parts
    from source_rows
)

select
    parts.line_number,
    list_prepend(
        case
            when not list_contains(parts.name_parts, '') then array_to_string(parts.name_parts, '')
            else ''
        end,
        parts.fields
    ) as fields
from parts
