-- Rows of a file whose lines all have one form, read without checking single
-- lines; $columns names the fields of a line. DuckDB omits a line of another
-- form, which shows in the number of rows.
select *
from
    read_csv(
        $path,
        delim = $delimiter,
        header = false,
        skip = $header_line,
        quote = '',
        escape = '',
        comment = '',
        -- No text contains NUL, so an empty field is read as empty text.
        nullstr = chr(0),
        auto_detect = false,
        compression = 'none',
        columns = $columns,
        strict_mode = true,
        ignore_errors = true
    )
