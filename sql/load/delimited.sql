-- Rows of a CSV or TSV file without quotes, below its header line. Blank
-- lines are left out, but keep their numbers.
with lines as (

    select
        row_number() over () as line_number,
        text_line

    from
        read_csv(
            $path,
            delim = '\0',
            header = false,
            quote = '',
            escape = '',
            comment = '',
            auto_detect = false,
            compression = 'none',
            columns = { 'text_line': 'VARCHAR' },
            strict_mode = false,
            max_line_size = 67108864
        )

)

select
    lines.line_number,
    string_split(lines.text_line, $delimiter) as fields

from lines

where
    trim(lines.text_line) <> ''
    and lines.line_number > $header_line
