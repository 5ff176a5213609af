-- One of the staged documents, one of the runs and judgment sets of a dataset, and how
-- many different documents are staged.
select
    min(staged.doc_id) as staged_document,
    (
        select min(source_rows.doc_id)
        from source_rows
    ) as own_document,
    count(distinct staged.doc_id) as document_count
from staged
