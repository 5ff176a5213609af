-- The rows of clean_rows for a run file.
select
    -- No message needs the line number of a row without faults.
    cast(null as tinyint) as line_number,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.number as score

from source_rows
