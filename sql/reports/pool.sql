-- One row is a document to be judged. Nothing reveals which run returned it or
-- at which position, not even the order, which a seed determines.
select
    pool_documents.query_id,
    queries.text as query_text,
    pool_documents.doc_id, title,
    cast(null as double) as grade
from pool_documents
left join queries
    on queries.dataset = $dataset and pool_documents.query_id = queries.query_id
left join documents
    on documents.dataset = $dataset and pool_documents.doc_id = documents.doc_id
order by
    md5(concat($seed, ' ', pool_documents.query_id)),
    pool_documents.query_id,
    md5(concat($seed, ' ', pool_documents.query_id, chr(10), pool_documents.doc_id)),
    pool_documents.doc_id
