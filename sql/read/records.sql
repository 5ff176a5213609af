-- Rows that a reader wrote as one JSON array per line: the line number in the
-- user's file, then the fields.
select
    cast(json_rows.fields[1] as bigint) as line_number,
    json_rows.fields[2:] as fields
from
    read_json(
        $path,
        format = 'newline_delimited',
        records = 'false',
        columns = { 'fields': 'VARCHAR[]' },
        maximum_object_size = 67108864
    ) as json_rows
