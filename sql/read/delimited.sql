-- Rows of lines without quotes below the header, as in CSV and TSV files. Blank
-- lines and rows of empty fields are omitted, but count in the line numbers.
select
    source_rows.line_number,
    string_split(source_rows.text_line, $delimiter) as fields
from source_rows
where
    trim(replace(source_rows.text_line, $delimiter, '')) <> ''
    and source_rows.line_number > $header_line
