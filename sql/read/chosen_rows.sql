-- The rows whose fields at the places $where_fields have the values
-- $where_values, without the blanks around them.
select
    source_rows.line_number, source_rows.fields
from source_rows
where
    list_transform(
        $where_fields, lambda place: trim(source_rows.fields[place])  -- noqa: RF03
    ) = $where_values
