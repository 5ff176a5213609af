-- The rows of clean_rows for a judgment file.
select
    -- No message needs the line number of a row without faults.
    cast(null as tinyint) as line_number,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.number_text as grade_text,
    nullif(trim(source_rows.label), '') as label,
    source_rows.number as grade

from source_rows
