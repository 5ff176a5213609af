-- One row is a document of a dataset that a file of documents describes.
select
    documents.dataset, documents.doc_id, documents.title, documents.url
from store.documents
