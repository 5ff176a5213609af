-- The documents of another warehouse that are not here.
insert into documents (dataset, doc_id, title, url)
select
    other_documents.dataset,
    other_documents.doc_id,
    other_documents.title,
    other_documents.url

from other_documents

anti join documents using (dataset, doc_id)
