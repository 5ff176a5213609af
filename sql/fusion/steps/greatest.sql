-- The greatest term of a document.
select
    source_rows.query_id,
    source_rows.doc_id,
    max(source_rows.term) as term

from source_rows

group by
    source_rows.query_id,
    source_rows.doc_id
