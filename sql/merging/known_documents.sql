-- The known documents of another warehouse that are not here.
insert into known_documents (dataset, query_id, doc_id, known_count, known_at)
select
    other_known_documents.dataset,
    other_known_documents.query_id,
    other_known_documents.doc_id,
    other_known_documents.known_count,
    other_known_documents.known_at

from other_known_documents

anti join known_documents using (dataset, query_id, doc_id)
