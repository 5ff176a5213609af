-- Rows that a reader wrote as one JSON array per line: the line number in the
-- user's file, then the fields. Those that a row lacks are empty, up to $width.
select
    cast(json_rows.fields[1] as bigint) as line_number,
    list_resize(json_rows.fields[2:], greatest(len(json_rows.fields) - 1, $width), '') as fields
from
    read_json(
        $path,
        format = 'newline_delimited',
        records = 'false',
        columns = { 'fields': 'VARCHAR[]' },
        maximum_object_size = 67108864
    ) as json_rows
