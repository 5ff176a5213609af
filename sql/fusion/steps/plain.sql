-- The terms of a document as they are, each of one run.
select
    source_rows.place,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.term,
    1 as shown

from source_rows
