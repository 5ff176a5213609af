-- Rows that a reader wrote down as one JSON array a line: the number of the
-- line in the user's file, then its fields.
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
