-- The terms of a document times the weights of their runs.
select
    source_rows.place,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.term * source_rows.weight as term,
    1 as shown

from source_rows
