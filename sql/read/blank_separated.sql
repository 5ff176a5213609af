-- Rows of lines whose fields are separated by spaces and tabs, as in TREC
-- files. Blank lines, and so comments, are omitted, but count in the line numbers.
select
    source_rows.line_number,
    case
        -- Splitting at single spaces is five times as fast as at a pattern.
        when
            contains(source_rows.text_line, chr(9))
            or contains(source_rows.text_line, '  ')
            or starts_with(source_rows.text_line, ' ')
            or ends_with(source_rows.text_line, ' ')
            then string_split_regex(trim(source_rows.text_line, chr(9) || ' '), '[ \t]+')
        else string_split(source_rows.text_line, ' ')
    end as fields
from source_rows
where
    source_rows.text_line is not null
    -- Trimming each line would double the time to read a file.
    and case
        when
            starts_with(source_rows.text_line, ' ')
            or starts_with(source_rows.text_line, chr(9))
            then trim(source_rows.text_line, chr(9) || ' ') <> ''
        else true
    end
