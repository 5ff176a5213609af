-- One row is a dataset with the number of its queries that know any document.
select
    known_documents.dataset,
    count(distinct known_documents.query_id) as knowing

from known_documents

group by known_documents.dataset
