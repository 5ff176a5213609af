-- The least term of a document.
select
    source_rows.query_id,
    source_rows.doc_id,
    min(source_rows.term) as term

from source_rows

group by
    source_rows.query_id,
    source_rows.doc_id
