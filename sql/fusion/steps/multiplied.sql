-- The sum of a document times how many runs show it.
select
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.term * source_rows.shown as term

from source_rows
