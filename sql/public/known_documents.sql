-- One row is a document that a query knows already: what a user bought, watched
-- or was trained on.
select
    known_documents.dataset, known_documents.query_id, known_documents.doc_id,
    known_documents.known_count, known_documents.known_at
from store.known_documents
