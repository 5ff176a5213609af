-- De Borda's points as a share of the documents that the runs show for a query.
select
    source_rows.place,
    source_rows.weight,
    source_rows.query_id,
    source_rows.doc_id,
    source_rows.term / source_rows.size as term

from source_rows
