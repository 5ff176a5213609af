-- Rows of lines without quotes below the header, as in CSV and TSV files. Blank
-- lines and rows of empty fields are omitted, but count in the line numbers. That is
-- a match, which ends at the first sign: trim costs as much as all other reading.
select
    source_rows.line_number,
    string_split(source_rows.text_line, $delimiter) as fields
from source_rows
where
    regexp_matches(source_rows.text_line, '[^' || regexp_escape($delimiter) || '\p{Zs}]')
    and source_rows.line_number > $header_line
