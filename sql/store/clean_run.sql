-- The rows of clean_rows for a run file.
select
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.number as score

from source_rows
