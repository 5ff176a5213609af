-- Clean rows of a judgment file.
select
    -- Nobody asks for the line of a row with which nothing is wrong.
    cast(null as tinyint) as line_number,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.number_text as grade_text,
    nullif(trim(source_rows.label), '') as label,
    source_rows.number as grade

from source_rows
