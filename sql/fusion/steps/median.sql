-- The median of the terms of a document: of two in the middle, their mean.
select
    source_rows.query_id,
    source_rows.doc_id,
    median(source_rows.term) as term

from source_rows

group by
    source_rows.query_id,
    source_rows.doc_id
