-- The fused documents, with their scores.
select
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.term as score

from source_rows
