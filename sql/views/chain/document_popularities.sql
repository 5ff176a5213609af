-- One row is a document that some query of a dataset knows, and how many know it.
select
    dataset, doc_id,
    count(*) as popularity
from known_documents
group by all
