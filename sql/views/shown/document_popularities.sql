-- One row is a document that some query of a dataset knows, with its popularity:
-- the number of queries that know it.
select
    known_documents.dataset,
    known_documents.doc_id,
    count(*) as popularity

from known_documents

group by
    known_documents.dataset,
    known_documents.doc_id
