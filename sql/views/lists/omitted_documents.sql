-- One row is a known document (see known_documents) that some measure takes out
-- (see omitting_datasets).
select
    known_documents.dataset,
    known_documents.query_id,
    known_documents.doc_id

from known_documents

inner join omitting_datasets using (dataset)
