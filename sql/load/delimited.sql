-- Rows of lines without quotes, as CSV and TSV have them, below the header.
-- Blank lines are left out, but keep their numbers.
select
    source_rows.line_number,
    string_split(source_rows.text_line, $delimiter) as fields

from source_rows

where
    trim(source_rows.text_line) <> ''
    and source_rows.line_number > $header_line
