-- What another warehouse knows of documents that are here, too.
update documents
set
    title = coalesce(documents.title, other_documents.title),
    url = coalesce(documents.url, other_documents.url)
from other_documents
where
    documents.dataset = other_documents.dataset
    and documents.doc_id = other_documents.doc_id
    and (
        (documents.title is null and other_documents.title is not null)
        or (documents.url is null and other_documents.url is not null)
    )
