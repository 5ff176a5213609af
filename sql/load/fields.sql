-- Rows of a file all of whose lines have one form, read without a look at
-- single lines; $columns names the fields of a line. A line of another form is
-- left out, which the number of rows tells.
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
        -- No text has this, so that an empty field is one.
        nullstr = chr(0),
        auto_detect = false,
        compression = 'none',
        columns = $columns,
        strict_mode = true,
        ignore_errors = true
    )
